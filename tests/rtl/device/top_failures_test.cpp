// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Runs that end before `halt` on the RTL device and on the timed device: reports, errors, memory
// and the runs after them are equal; in how many cycles such a run ends is not specified.
#include <limits>

#include "tests/hw/support/test_job.hpp"
#include "tests/rtl/device/run_commands.hpp"
#include "tests/rtl/device/setting.hpp"
#include "tests/rtl/device/twins.hpp"

namespace ppu::hw::test {
namespace {

using spec::CommandOpcode;

constexpr std::uint32_t kBodies = 30;
/// In host memory.
constexpr std::uint32_t kFence = 0;
constexpr std::uint32_t kPrograms = 0x1000;
constexpr std::uint32_t kReport = 0x8000;
constexpr std::uint32_t kNextReport = 0x8400;
constexpr std::uint32_t kState = 0x20000;
/// Of a job, in both memories.
constexpr std::uint32_t kStateBytes = 0x4800;
/// Of the good job in instruction memory.
constexpr std::uint32_t kNextEntry = 256;

/// A job, and how it ends: its rows resident, streamed.
struct Ending {
  ppu_run_status resident, streamed;
  std::vector<ppu_row> rows;
  std::string source;
};

std::vector<ppu_row> good_rows() {
  return random_rows(120, kBodies, 3);
}

template <class Change>
Ending ending(ppu_run_status status, Change change) {
  Ending made{status, status, good_rows(), program("pgs")};
  change(made);
  return made;
}

std::vector<Ending> endings() {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  return {
      ending(PPU_RUN_OK, [](Ending&) {}),
      ending(PPU_RUN_ROW_FAULT, [](Ending& made) { made.rows[77].bias = kInfinity; }),
      ending(PPU_RUN_ROW_FAULT, [](Ending& made) { made.rows[0].inv_diagonal = kInfinity; }),
      ending(PPU_RUN_BAD_ROW, [](Ending& made) { made.rows[66].body_b = kBodies; }),
      ending(PPU_RUN_BAD_ROW, [](Ending& made) { made.rows[119].parent = 120; }),
      ending(PPU_RUN_BAD_ROW, [](Ending& made) { made.rows[9].body_a = made.rows[9].body_b = 3; }),
      // Resident rows are looked at before the first one is in the pipe.
      ending(PPU_RUN_BAD_ROW,
             [](Ending& made) {
               made.rows[60].bias = kInfinity;
               made.rows[61].body_a = kBodies;
               made.streamed = PPU_RUN_ROW_FAULT;
             }),
      ending(PPU_RUN_ILLEGAL_INSTRUCTION,
             [](Ending& made) { made.source = "li t0, 5\nsignal t0\nrows zero, a0\nhalt\n"; })};
}

class RtlTopFailures : public ::testing::TestWithParam<Setting> {
 protected:
  /// Puts both jobs and their programs where both_runs() expects them.
  void load(Job first, Job second) {
    load(first, 0, 0);
    load(second, kStateBytes, kNextEntry);
    second.command.entry = kNextEntry;
    runs_ = {first.command, second.command};
  }
  /// The first job, then the second one on the same engine, then the state of both.
  [[nodiscard]] std::vector<CommandWords> both_runs(bool stream) const {
    return {run_command(streamed(runs_[0], stream), kReport),
            make_command(CommandOpcode::kBarrier),
            run_command(streamed(runs_[1], stream), kNextReport, kStateBytes),
            make_command(CommandOpcode::kBarrier),
            copy_command(CommandOpcode::kCopyOut, {kState, 0, 2 * kStateBytes, 0}),
            fence_command(kFence, 1)};
  }
  [[nodiscard]] std::uint32_t status(std::uint32_t report) const {
    return twins.rtl_host.get<std::uint32_t>(report);
  }
  /// What a run that ended well counted depends on when it began.
  void forget_counters(std::uint32_t report) {
    twins.put(report + spec::kReportHeaderBytes, Counters{});
  }

  /// The second job has ended well, and everything but times is equal.
  void expect_equal_state() {
    EXPECT_EQ(status(kNextReport), PPU_RUN_OK);
    forget_counters(kNextReport);
    twins.expect_equal_state({kFence});
  }

  Twins twins{config_of(GetParam())};

 private:
  void load(Job& job, std::uint32_t address, std::uint32_t entry) {
    const auto bytes = static_cast<std::uint32_t>(4 * job.words.size());
    twins.put_bytes(kPrograms, job.words.data(), bytes);
    twins.put_bytes(kState, job.memory().data, job.memory().size_bytes);
    twins.execute({copy_command(CommandOpcode::kCopyIn, {kState, address, kStateBytes, 0}),
                   copy_command(CommandOpcode::kLoadProgram, {kPrograms, entry, bytes, 0})});
  }

  std::array<RunCommand, 2> runs_;
};

TEST_P(RtlTopFailures, AreEqualButForTheirTime) {
  for (const Ending& made : endings()) {
    for (const bool stream : {false, true}) {
      const ppu_run_status expected = stream ? made.streamed : made.resident;
      SCOPED_TRACE(std::to_string(expected) + (stream ? " streamed" : " resident"));
      load(Job(made.rows, kBodies, made.source), Job(good_rows(), kBodies, program("pgs")));
      twins.execute(both_runs(stream));
      EXPECT_EQ(status(kReport), expected);
      if (expected == PPU_RUN_OK) forget_counters(kReport);
      expect_equal_state();
      if (expected == PPU_RUN_OK) continue;
      EXPECT_EQ(twins.take_error().detail, expected);
    }
  }
}

TEST_P(RtlTopFailures, CancelledRunsAreEqualButForTheirTime) {
  for (const bool stream : {false, true}) {
    // Endless, once it has said that it has begun.
    const std::uint32_t begun = stream ? 78 : 77;
    load(Job(good_rows(), kBodies,
             "li t0, " + std::to_string(begun) + "\nsignal t0\nagain: addi t0, t0, 1\nj again\n"),
         Job(good_rows(), kBodies, program("pgs")));
    twins.execute(both_runs(stream), [begun](Device& device) {
      while (device.read_register(PPU_REGISTER_PROGRESS) != begun) ASSERT_TRUE(device.step());
      device.write_register(PPU_REGISTER_CONTROL, 2);
      EXPECT_TRUE(device.step()) << "only 1 cancels";
      device.write_register(PPU_REGISTER_CONTROL, 1);
    });
    EXPECT_EQ(status(kReport), PPU_RUN_CANCELLED);
    expect_equal_state();
    EXPECT_EQ(twins.take_error().detail, PPU_RUN_CANCELLED);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Settings, RtlTopFailures,
    ::testing::Values(Setting{"default", "default", {}}, Setting{"small", "small", {}},
                      Setting{"wide", "wide", {}},
                      Setting{"stalls", "default", {"dram_stall_percent=60", "dram_queue=3"}}),
    [](const auto& setting) { return std::string(setting.param.name); });

}  // namespace
}  // namespace ppu::hw::test
