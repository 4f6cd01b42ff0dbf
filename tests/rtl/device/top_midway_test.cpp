// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The middle of runs on the RTL device and on the timed device, whose engines run ahead of time:
// the progress in every cycle, memory while it is stored, a cancel in any cycle.
#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "tests/hw/support/test_job.hpp"
#include "tests/rtl/device/run_commands.hpp"
#include "tests/rtl/device/twins.hpp"
#include "tests/rtl/support/test_options.hpp"

namespace ppu::hw::test {
namespace {

using spec::CommandOpcode;

constexpr std::uint32_t kBodies = 10;
/// In host memory.
constexpr std::uint32_t kFence = 0;
constexpr std::uint32_t kProgram = 0x1000;
constexpr std::uint32_t kReport = 0x8000;
constexpr std::uint32_t kReportBytes = 0x400;
constexpr std::uint32_t kLists = 0xa000;
constexpr std::uint32_t kState = 0x20000;
constexpr std::uint32_t kCopies = 0x40000;
/// Of a job, in both memories.
constexpr std::uint32_t kStateBytes = 0x2000;

const std::string kKernel =
    ".kernel k\n ldrow r\n ldvel v, r.ia, r.ib\n soft b, r.b, r.cfm, r.x\n dot u, r.J, v, b\n"
    " step t, r.x, r.d, u\n max x, 0, t\n sub dx, x, r.x\n axpy v, dx, r.JM\n"
    " stvel v, r.ia, r.ib\n stimp x\n.end\n";

/// Three passes that say when they are queued, which is while rows of the others are on their way.
const std::string kPasses =
    "kernel k\nli t0, 1\nsignal t0\nrows zero, a0\naddi t0, t0, 1\nsignal t0\nrows zero, a0\n"
    "addi t0, t0, 1\nsignal t0\nrows zero, a0\naddi t0, t0, 1\nsignal t0\naddi t0, t0, 1\n"
    "signal t0\nhalt\n" +
    kKernel;

std::vector<ppu_row> good_rows() {
  return random_rows(24, kBodies, 3);
}

std::vector<ppu_row> faulty_rows(std::size_t slot) {
  std::vector<ppu_row> rows = good_rows();
  rows[slot].bias = std::numeric_limits<float>::infinity();
  return rows;
}

std::vector<ppu_row> bad_rows(std::size_t slot) {
  std::vector<ppu_row> rows = good_rows();
  rows[slot].body_a = kBodies;
  return rows;
}

struct Setting {
  const char* name;
  const char* config;
  bool stream;
  std::vector<std::string> overrides;
};

void PrintTo(const Setting& setting, std::ostream* out) {
  *out << setting.name;
}

/// Lets one cycle pass.
void tick(Device& device) {
  constexpr std::uint32_t kNoRegister = 0xfc;
  device.write_register(kNoRegister, 0);
}

class RtlTopMidway : public ::testing::TestWithParam<Setting> {
 protected:
  static Config config() { return plain_config(GetParam().overrides, GetParam().config); }
  /// Twins with a job in place.
  std::unique_ptr<Twins> load(Job& job) const {
    auto twins = std::make_unique<Twins>(config());
    const auto bytes = static_cast<std::uint32_t>(4 * job.words.size());
    twins->put_bytes(kProgram, job.words.data(), bytes);
    twins->put_bytes(kState, job.memory().data, job.memory().size_bytes);
    twins->execute({copy_command(CommandOpcode::kCopyIn, {kState, 0, kStateBytes, 0}),
                    copy_command(CommandOpcode::kLoadProgram, {kProgram, 0, bytes, 0}),
                    make_command(CommandOpcode::kBarrier)});
    return twins;
  }
  static CommandWords run(const RunCommand& command, std::uint32_t report) {
    return run_command(streamed(command, GetParam().stream), report);
  }
  /// The same run on every engine at once, and what is left in memory.
  static std::vector<CommandWords> run_and_look(const RunCommand& command) {
    std::vector<CommandWords> commands;
    for (std::uint32_t n = 0; n < config().engines; ++n)
      commands.push_back(run(command, kReport + n * kReportBytes));
    commands.push_back(make_command(CommandOpcode::kBarrier));
    commands.push_back(copy_command(CommandOpcode::kCopyOut, {kState, 0, kStateBytes, 0}));
    commands.push_back(fence_command(kFence, 1));
    return commands;
  }
  static ppu_run_status status(const Twins& twins) {
    return static_cast<ppu_run_status>(twins.rtl_host.get<std::uint32_t>(kReport));
  }
  /// Commands and details of all errors.
  static std::set<std::pair<std::uint32_t, std::uint32_t>> take_errors(DeviceSession& session) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> errors;
    while (session.read(PPU_REGISTER_ERROR_COUNT) > 0) {
      const CommandError error = session.take_error();
      errors.emplace(error.command, error.detail);
    }
    return errors;
  }

  /// What the register showed in every cycle of the run, which was equal on both.
  std::set<std::uint32_t> watch_progress(Job job) const {
    const auto twins = load(job);
    std::vector<std::vector<std::uint32_t>> seen;
    twins->execute(run_and_look(job.command), [&seen](Device& device) {
      std::vector<std::uint32_t>& values = seen.emplace_back();
      for (int cycle = 0; cycle < 1500; ++cycle) {
        values.push_back(device.read_register(PPU_REGISTER_PROGRESS));
        tick(device);
      }
    });
    const auto [rtl, model] = std::mismatch(seen[0].begin(), seen[0].end(), seen[1].begin());
    if (rtl != seen[0].end())
      ADD_FAILURE() << "in cycle " << rtl - seen[0].begin() << " progress is " << *rtl
                    << " on the RTL and " << *model << " on the model";
    return {seen[0].begin(), seen[0].end()};
  }

  /// Cancels the job in cycles up to its end, `step` apart, or less with --rounds; how the runs
  /// ended.
  std::set<ppu_run_status> sweep_cancel(Job job, int last, int step) const {
    std::set<ppu_run_status> statuses;
    step = std::max(step / static_cast<int>(ppu::test::options().rounds), 1);
    for (int cycle = 0; cycle < last; cycle += step) {
      SCOPED_TRACE("cancelled " + std::to_string(cycle) + " cycles after the doorbell");
      const auto twins = load(job);
      twins->execute(run_and_look(job.command), [cycle](Device& device) {
        for (int n = 0; n < cycle; ++n) tick(device);
        device.write_register(PPU_REGISTER_CONTROL, 1);
      });
      // Which of several engines has reported first is not specified.
      EXPECT_EQ(take_errors(twins->rtl_session), take_errors(twins->model_session));
      twins->expect_equal_state({kFence});
      twins->expect_equal_runs();
      statuses.insert(status(*twins));
    }
    return statuses;
  }
};

TEST_P(RtlTopMidway, ProgressIsEqualInEveryCycle) {
  const std::string count = "again: addi t0, t0, 1\nsignal t0\nbne t0, a0, again\nhalt\n";
  Job counting({}, kBodies, count);
  counting.command.arguments[0] = 100;
  EXPECT_EQ(watch_progress(counting).size(), 101U);
  EXPECT_EQ(watch_progress(Job(good_rows(), kBodies, kPasses)).size(), 6U);
}

TEST_P(RtlTopMidway, ProgressIsEqualUpToAFault) {
  std::set<std::size_t> said;
  for (const std::size_t slot : {2U, 20U, 21U, 22U, 23U})
    said.insert(watch_progress(Job(faulty_rows(slot), kBodies, kPasses)).size());
  EXPECT_GT(said.size(), 1U) << "some faults come before a signal, some after it";
  watch_progress(Job(bad_rows(11), kBodies, kPasses));
}

TEST_P(RtlTopMidway, MemoryIsEqualWhileItIsStored) {
  // What the last velocities and the first impulses are, 150 times from the begin of the run on.
  constexpr std::uint32_t kCopiesEach = 75;
  Job job(good_rows(), kBodies, kPasses);
  const auto twins = load(job);
  const std::uint32_t beats[] = {
      job.command.impulses_address,
      job.command.velocities_address + (kBodies - 2) * spec::kVelocityBytes};
  for (std::uint32_t n = 1; n < 2 * kCopiesEach; ++n)
    twins->put(kLists + 16 * (n - 1), Descriptor{kCopies + 64 * n, beats[n % 2], 64, 0});
  twins->execute(
      {run(job.command, kReport), copy_command(CommandOpcode::kCopyOut, {kCopies, beats[0], 64, 0},
                                               kLists, 2 * kCopiesEach - 1)});
  for (const std::uint32_t first : {0U, 1U}) {
    const auto copy = [&](std::uint32_t n) { return twins->rtl_host.bytes(kCopies + 64 * n, 64); };
    EXPECT_EQ(copy(first), copy(first + 2)) << "not stored yet";
    EXPECT_NE(copy(first), copy(first + 2 * kCopiesEach - 2)) << "stored";
  }
  twins->expect_equal();
}

TEST_P(RtlTopMidway, ACancelInAnyCycleDoesTheSame) {
  const std::set<ppu_run_status> expected = {PPU_RUN_CANCELLED, PPU_RUN_OK};
  EXPECT_EQ(sweep_cancel(Job({}, 2, "signal a0\nhalt\n"), 60, 1), expected);
  EXPECT_EQ(sweep_cancel(Job(good_rows(), kBodies, kPasses), 1500, 41), expected);
}

TEST_P(RtlTopMidway, ACancelComesBeforeOrAfterAnotherEnd) {
  const auto either = [](ppu_run_status status) {
    return std::set<ppu_run_status>{PPU_RUN_CANCELLED, status};
  };
  EXPECT_EQ(sweep_cancel(Job(faulty_rows(5), kBodies, kPasses), 600, 23),
            either(PPU_RUN_ROW_FAULT));
  EXPECT_EQ(sweep_cancel(Job(bad_rows(5), kBodies, kPasses), 600, 23), either(PPU_RUN_BAD_ROW));
  EXPECT_EQ(sweep_cancel(Job({}, 2, "li t0, 7\nsignal t0\nrows a0, a0\nhalt\n"), 60, 1),
            either(PPU_RUN_ILLEGAL_INSTRUCTION));
}

/// A solver with such rows as it takes, and its budget.
Job solver(const std::string& name, bool reduced, std::uint32_t budget) {
  constexpr std::uint32_t kThreshold = 0x3d4ccccd;  // 0.05
  Job job(good_rows(), kBodies, program(name), reduced);
  job.command.arguments = {job.command.row_count, 4, kThreshold, 1, kThreshold, 0, 0, budget};
  return job;
}

TEST_P(RtlTopMidway, ACancelOfASolverDoesTheSame) {
  const std::set<ppu_run_status> expected = {PPU_RUN_CANCELLED, PPU_RUN_OK};
  EXPECT_EQ(sweep_cancel(solver("filter", false, 0), 2500, 251), expected);
  EXPECT_EQ(sweep_cancel(solver("impulse-threshold", false, 0), 2500, 251), expected);
  EXPECT_EQ(sweep_cancel(solver("reduced", true, 150), 700, 41), expected);
}

INSTANTIATE_TEST_SUITE_P(
    Settings, RtlTopMidway,
    ::testing::Values(
        Setting{"resident", "default", false, {}}, Setting{"streamed", "default", true, {}},
        Setting{"stalls", "default", true, {"dram_stall_percent=60", "dram_queue=3"}},
        Setting{"two_engines", "small", false, {}},
        Setting{"two_engines_stalls", "small", true, {"dram_stall_percent=60", "dram_queue=3"}}),
    [](const auto& setting) { return std::string(setting.param.name); });

}  // namespace
}  // namespace ppu::hw::test
