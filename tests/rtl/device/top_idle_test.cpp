// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The clock contract of the device (docs/inside/device_clocking.md): while it is idle the clock may
// run or stop, and nothing that can be seen depends on it.
#include <Vppu_rtl_device_default.h>
#include <verilated.h>

#include "tests/rtl/device/twins.hpp"

namespace ppu::hw::test {
namespace {

using spec::CommandOpcode;

/// A ppu_top without anything around it, out of reset.
class BareTop {
 public:
  BareTop() {
    top_.rst_ni = 0;
    clock(2);
    top_.rst_ni = 1;
    top_.eval();
  }
  ~BareTop() { top_.final(); }
  BareTop(const BareTop&) = delete;
  BareTop& operator=(const BareTop&) = delete;

  void clock(int cycles) {
    for (int n = 0; n < cycles; ++n) {
      top_.clk_i = 0;
      top_.eval();
      top_.clk_i = 1;
      top_.eval();
    }
  }
  void write(std::uint32_t offset, std::uint32_t value) {
    top_.reg_write_i = 1;
    top_.reg_address_i = static_cast<SData>(offset);
    top_.reg_wdata_i = value;
    clock(1);
    top_.reg_write_i = 0;
    top_.eval();
  }
  [[nodiscard]] bool idle() const { return top_.idle_o != 0; }
  [[nodiscard]] std::uint64_t cycle() const { return top_.device_cycle_o; }

 private:
  VerilatedContext context_;
  Vppu_rtl_device_default top_{&context_};
};

TEST(RtlTopIdle, TheCycleStandsStillWhileTheClockRuns) {
  BareTop top;
  EXPECT_TRUE(top.idle());
  EXPECT_EQ(top.cycle(), 0U);
  top.clock(1000);
  EXPECT_EQ(top.cycle(), 0U);
  top.write(PPU_REGISTER_IRQ_MASK, 3);
  EXPECT_EQ(top.cycle(), 1U);
  top.clock(1000);
  EXPECT_TRUE(top.idle());
  EXPECT_EQ(top.cycle(), 1U);
}

TEST(RtlTopIdle, ADoorbellWakesItInTheNextCycle) {
  BareTop top;
  top.write(PPU_REGISTER_RING_ENTRIES, 16);
  top.clock(1000);
  top.write(PPU_REGISTER_RING_TAIL, 1);
  EXPECT_FALSE(top.idle());
  EXPECT_EQ(top.cycle(), 2U);
  // Nobody answers: the fetch waits, and every clock cycle is a device cycle.
  top.clock(1000);
  EXPECT_FALSE(top.idle());
  EXPECT_EQ(top.cycle(), 1002U);
}

/// Copies there and back, fences and queries, with a clock that runs between them for `cycles`.
void copy_with_pauses(Twins& twins, int cycles) {
  for (std::uint32_t n = 0; n < 4; ++n) {
    const std::uint32_t size = 4000 + 64 * n, target = 0x10000 + 0x4000 * n;
    twins.execute({copy_command(CommandOpcode::kCopyIn, {0, 0, size, 0}),
                   copy_command(CommandOpcode::kCopyOut, {target, 0, size, 0}),
                   query_command(target + 0x2000), fence_command(target + 0x3000, n)});
    for (int cycle = 0; cycle < cycles; ++cycle) EXPECT_FALSE(twins.rtl->step());
  }
}

TEST(RtlTopIdle, ResultsCyclesAndEventsAreThoseOfAClockThatStops) {
  const Config config = plain_config({"dram_refresh_interval_ns=1000", "dram_refresh_ns=300",
                                      "dram_stall_percent=30", "dram_cas_ns=40"});
  Twins paused(config), running(config);
  copy_with_pauses(paused, 0);
  copy_with_pauses(running, 1000);
  paused.expect_equal();
  running.expect_equal();
  EXPECT_EQ(running.rtl_host.bytes(0, 0x100000), paused.rtl_host.bytes(0, 0x100000));
}

}  // namespace
}  // namespace ppu::hw::test
