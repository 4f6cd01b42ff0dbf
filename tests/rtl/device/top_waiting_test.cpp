// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Ports that are seldom ready, and a host that writes registers at any time: every request stays
// until it is accepted (the RTL asserts it), and is the same in the same cycle as in the model.
#include <random>

#include "tests/hw/support/test_job.hpp"
#include "tests/rtl/device/setting.hpp"
#include "tests/rtl/device/twins.hpp"

namespace ppu::hw::test {
namespace {

using spec::CommandOpcode;

constexpr std::uint32_t kProgram = 0x1000;
/// In host memory: where commands read from, and where they write to.
constexpr std::uint32_t kSource = 0x8000;
constexpr std::uint32_t kTarget = 0x40000;
/// Below the ring, a copy of it.
constexpr std::uint32_t kOtherRing = 0x1000;

class RtlTopWaiting : public ::testing::TestWithParam<Setting> {
 protected:
  /// Lets a cycle pass on both.
  static void tick(Twins& twins, std::uint32_t cycles) {
    constexpr std::uint32_t kNoRegister = 0xfc;
    for (std::uint32_t n = 0; n < cycles; ++n) twins.write(kNoRegister, 0);
  }
  static CommandWords command(std::uint32_t number, std::uint32_t kind, std::uint32_t size) {
    const std::uint32_t target = kTarget + 0x1000 * number;
    const std::uint32_t state = 0x4000 * (kind % 6);
    switch (kind % 6) {
      case 0:
        return copy_command(CommandOpcode::kCopyIn, {kSource, 0, 64 + size, 0});
      case 1:
        return copy_command(CommandOpcode::kCopyOut, {target, 0, 64 + size, 0});
      case 2:
        return copy_command(CommandOpcode::kCopyWithin, {0, 0x2000, 64 + size, 0});
      case 3:
        return query_command(target);
      default:
        return make_command(CommandOpcode::kRun, {{field::kProgramWords, 16},
                                                  {field::kRowCount, size % 40},
                                                  {field::kBodyCount, size % 30},
                                                  {field::kImpulsesAddress, state},
                                                  {field::kVelocitiesAddress, state + 0x400},
                                                  {field::kRowsAddress, 0x80000},
                                                  {field::kReportAddress, target},
                                                  {field::kFlags, spec::kFlagStream}});
    }
  }
};

TEST_P(RtlTopWaiting, RequestsAreEqualToTheCycle) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    std::mt19937 engine(seed);
    const auto random = [&engine] { return static_cast<std::uint32_t>(engine()); };
    Twins twins(plain_config(GetParam().overrides, GetParam().config));
    const Job nothing({}, 0, "wait\nhalt\n");
    twins.put_bytes(kProgram, nothing.words.data(), 4 * nothing.words.size());
    twins.execute({copy_command(CommandOpcode::kLoadProgram, {kProgram, 0, 8, 0})});
    for (std::uint32_t n = 1; n < DeviceHost::kEntries; ++n) {
      const CommandWords words = command(n, random(), random() % 1000);
      const std::uint32_t place = twins.rtl_host.ring() + n * spec::kCommandBytes;
      twins.put(place, words);
      twins.put(place - kOtherRing, words);
    }
    // One doorbell for each command, now and then a look at the other ring.
    for (std::uint32_t tail = 2; tail <= DeviceHost::kEntries; ++tail) {
      twins.write(PPU_REGISTER_RING_TAIL, tail);
      tick(twins, random() % 60);
      twins.write(PPU_REGISTER_RING_BASE, twins.rtl_host.ring() - random() % 2 * kOtherRing);
      tick(twins, random() % 30);
    }
    twins.rtl_session.finish();
    twins.model_session.finish();
    EXPECT_EQ(twins.rtl_session.read(PPU_REGISTER_ERROR_COUNT), 0U);
    twins.expect_equal();
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Settings, RtlTopWaiting,
    ::testing::Values(
        Setting{"one_at_a_time", "default", {"link_queue=1", "dram_queue=1", "dram_cas_ns=100"}},
        Setting{"stalls", "default", {"link_queue=2", "dram_stall_percent=80"}},
        Setting{"two_engines", "small", {"link_queue=1", "dram_queue=1", "dram_cas_ns=100"}},
        Setting{"two_safe", "protected", {"link_queue=1", "dram_queue=1", "dram_cas_ns=100"}},
        Setting{"two_engines_stalls",
                "small",
                {"link_queue=2", "dram_stall_percent=80", "link_full_duplex=0"}}),
    [](const auto& setting) { return std::string(setting.param.name); });

}  // namespace
}  // namespace ppu::hw::test
