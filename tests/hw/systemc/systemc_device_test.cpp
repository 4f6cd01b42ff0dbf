// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The SystemC device does the same in the same cycles as the plain timed device. SystemC elaborates
// once in a process, so there is one test.
#include "hw/systemc/systemc_device.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <systemc>
#include <tuple>

#include "hw/timed/timed_device.hpp"
#include "tests/hw/support/device_host.hpp"
#include "tests/hw/support/test_job.hpp"

namespace ppu::hw::test {
namespace {

using spec::CommandOpcode;

/// Events, sorted: those of different units may come in any order.
class Events final : public TraceSink {
 public:
  using Event = std::tuple<std::uint64_t, int, int, std::uint64_t, std::uint64_t>;
  void on_event(const TraceEvent& event) override {
    all_.emplace_back(event.cycle, static_cast<int>(event.kind), event.unit, event.a, event.b);
  }
  std::vector<Event> sorted() {
    std::sort(all_.begin(), all_.end());
    return all_;
  }

 private:
  std::vector<Event> all_;
};

constexpr std::uint32_t kProgram = 0x1000;
constexpr std::uint32_t kState = 0x40000;
constexpr std::uint32_t kStateBytes = 0x20000;

CommandWords run_command(const RunCommand& run, std::uint32_t report_address, bool stream) {
  return make_command(CommandOpcode::kRun,
                      {{field::kProgramWords, run.program_words},
                       {field::kRowCount, run.row_count},
                       {field::kBodyCount, run.body_count},
                       {field::kRowsAddress, run.rows_address},
                       {field::kImpulsesAddress, run.impulses_address},
                       {field::kVelocitiesAddress, run.velocities_address},
                       {field::kReportAddress, report_address},
                       {field::kFlags, stream ? spec::kFlagStream : 0},
                       {field::kArguments, run.arguments[0]},
                       {{field::kArguments.word + 1, 0, 32}, run.arguments[1]}});
}

/// Two runs at a time, resident and streamed, with copies between them; returns host memory.
std::vector<std::byte> execute(Device& device, DeviceHost& host) {
  Job job(random_rows(300, 40, 7), 40, program("pgs"));
  host.put_bytes(kState, job.memory().data, job.memory().size_bytes);
  host.put_bytes(kProgram, job.words.data(), 4 * job.words.size());
  RunCommand second = job.command;
  for (std::uint32_t* address :
       {&second.rows_address, &second.impulses_address, &second.velocities_address})
    *address += kStateBytes / 2;

  DeviceSession session(host, device);
  session.write(PPU_REGISTER_IRQ_MASK, 3);
  session.execute(
      {copy_command(CommandOpcode::kCopyIn, {kState, 0, kStateBytes / 2, 0}),
       copy_command(CommandOpcode::kCopyWithin, {0, kStateBytes / 2, kStateBytes / 2, 0}),
       copy_command(CommandOpcode::kLoadProgram,
                    {kProgram, 0, static_cast<std::uint32_t>(4 * job.words.size()), 0}),
       fence_command(0, 1, true)});
  session.write(PPU_REGISTER_IRQ_STATUS, 1);
  session.execute({run_command(job.command, 0x2000, false), run_command(second, 0x3000, true),
                   copy_command(CommandOpcode::kCopyIn, {kState, kStateBytes, 5000, 0}),
                   make_command(static_cast<CommandOpcode>(0x77)), fence_command(16, 2)});
  session.execute({copy_command(CommandOpcode::kCopyOut, {kState, 0, kStateBytes, 0}),
                   query_command(0x4000), fence_command(32, 3, true)});
  EXPECT_EQ(session.take_error().reason, PPU_COMMAND_ERROR_OPCODE);
  EXPECT_EQ(session.read(PPU_REGISTER_ERROR_COUNT), 0U);
  return host.bytes(0, host.memory().size_bytes);
}

TEST(SystemcDevice, TakesTheCyclesOfTheTimedDevice) {
  const Config config = resolve_config(
      "small", {"host_memory_mib=1", "device_memory_mib=1", "dram_stall_percent=10"});
  Events plain_events;
  Events systemc_events;
  DeviceHost plain_host(config);
  DeviceHost systemc_host(config);
  TimedDevice plain(config, plain_host.memory(), {}, &plain_events);
  SystemcDevice systemc(config, systemc_host.memory(), {}, &systemc_events);

  // Fences, counters and reports hold cycles.
  EXPECT_EQ(execute(systemc, systemc_host), execute(plain, plain_host));
  EXPECT_EQ(systemc_events.sorted(), plain_events.sorted());
  // The last register write took one cycle, which has just begun.
  const auto period_ps = static_cast<double>(1'000'000 / config.clock_mhz);
  EXPECT_EQ(sc_core::sc_time_stamp(),
            sc_core::sc_time(period_ps * static_cast<double>(plain.cycle() - 1), sc_core::SC_PS));
}

}  // namespace
}  // namespace ppu::hw::test

int sc_main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
