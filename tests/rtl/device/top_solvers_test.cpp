// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Solvers that filter their rows, take them in the reduced form, end at a quotient or are cut short
// by a budget, on the RTL device and on the timed device: everything is equal, cycle by cycle.
#include <algorithm>
#include <set>

#include "tests/hw/support/test_job.hpp"
#include "tests/rtl/device/run_commands.hpp"
#include "tests/rtl/device/setting.hpp"
#include "tests/rtl/device/twins.hpp"
#include "tests/rtl/support/test_options.hpp"

namespace ppu::hw::test {
namespace {

using spec::CommandOpcode;

constexpr std::uint32_t kBodies = 40;
constexpr std::uint32_t kRows = 120;
constexpr std::uint32_t kProgram = 0x1000;
constexpr std::uint32_t kReports = 0x8000;
constexpr std::uint32_t kReportBytes = 0x400;
constexpr std::uint32_t kState = 0x40000;

/// A program and the form of the rows that it takes.
struct Solver {
  const char* program;
  bool reduced;
};

constexpr Solver kSolvers[] = {{"filter", false},
                               {"filter-literal", true},
                               {"reduced", true},
                               {"boxed", false},
                               {"impulse-threshold", false}};

std::uint32_t& argument(RunCommand& command, spec::Argument index) {
  return command.arguments[static_cast<std::size_t>(index)];
}

class RtlTopSolvers : public ::testing::TestWithParam<Setting> {
 protected:
  static Job make_job(const Solver& solver) {
    constexpr std::uint32_t kThreshold = 0x3d4ccccd;  // 0.05
    Job job(random_rows(kRows, kBodies, 7), kBodies, program(solver.program), solver.reduced);
    argument(job.command, spec::Argument::kMaxSweeps) = 6;
    argument(job.command, spec::Argument::kThreshold) = kThreshold;
    argument(job.command, spec::Argument::kFrictionRule) = 1;
    argument(job.command, spec::Argument::kMarkThreshold) = kThreshold;
    return job;
  }

  /// The program, and two copies of its job in device memory.
  void load(Job& job) {
    const auto program_bytes = static_cast<std::uint32_t>(4 * job.words.size());
    bytes_ = static_cast<std::uint32_t>(job.memory().size_bytes);
    twins_.put_bytes(kState, job.memory().data, bytes_);
    twins_.put_bytes(kProgram, job.words.data(), program_bytes);
    twins_.execute({copy_command(CommandOpcode::kCopyIn, {kState, 0, bytes_, 0}),
                    copy_command(CommandOpcode::kLoadProgram, {kProgram, 0, program_bytes, 0}),
                    copy_command(CommandOpcode::kCopyWithin, {0, bytes_, bytes_, 0}),
                    make_command(CommandOpcode::kBarrier)});
  }
  /// Runs both, one of them resident.
  void run(const RunCommand& command) {
    twins_.execute({run_command(streamed(command, false), kReports),
                    run_command(streamed(command, true), kReports + kReportBytes, bytes_),
                    fence_command(0, 1)});
    for (std::uint32_t n = 0; n < 2; ++n) EXPECT_EQ(status(n), PPU_RUN_OK);
  }
  /// What the runs have left behind, and everything before.
  void expect_equal() {
    twins_.execute({copy_command(CommandOpcode::kCopyOut, {kState, 0, 2 * bytes_, 0})});
    twins_.expect_equal();
  }
  [[nodiscard]] std::uint32_t status(std::uint32_t n) const {
    return twins_.rtl_host.get<std::uint32_t>(kReports + n * kReportBytes);
  }
  [[nodiscard]] Counters counters(std::uint32_t n) const {
    return twins_.rtl_host.get<Counters>(kReports + n * kReportBytes + spec::kReportHeaderBytes);
  }

  Twins twins_{config_of(GetParam())};

 private:
  std::uint32_t bytes_ = 0;
};

TEST_P(RtlTopSolvers, FilteredReducedAndLateRunsAreEqualToTheCycle) {
  for (const Solver& solver : kSolvers) {
    for (const std::uint32_t budget : {0U, 500U}) {
      SCOPED_TRACE(solver.program + (", budget " + std::to_string(budget)));
      Job job = make_job(solver);
      argument(job.command, spec::Argument::kBudgetCycles) = budget;
      load(job);
      run(job.command);
      for (std::uint32_t n = 0; n < 2; ++n)
        EXPECT_EQ(counters(n)[PPU_COUNTER_PASSES_CUT] > 0, budget > 0);
      expect_equal();
    }
  }
}

/// Wherever the deadline comes: before a row, in a wait, while a beat waits on the port.
TEST_P(RtlTopSolvers, ABudgetOfAnyLengthIsEqualToTheCycle) {
  for (const Solver& solver : kSolvers) {
    SCOPED_TRACE(solver.program);
    Job job = make_job(solver);
    load(job);
    std::set<std::uint64_t> beats;
    const auto rounds = static_cast<std::uint32_t>(ppu::test::options().rounds);
    for (std::uint32_t budget = 1; budget < 600;
         budget += std::max((budget < 20 ? 6U : 79U) / rounds, 1U)) {
      argument(job.command, spec::Argument::kBudgetCycles) = budget;
      run(job.command);
      for (std::uint32_t n = 0; n < 2; ++n) EXPECT_GT(counters(n)[PPU_COUNTER_PASSES_CUT], 0U);
      beats.insert(counters(1)[PPU_COUNTER_ROW_BYTES_STREAMED]);
    }
    EXPECT_GT(beats.size(), 4U) << "the budgets end in other places of a pass";
    expect_equal();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Settings, RtlTopSolvers,
    ::testing::Values(
        Setting{"default", "default", {}}, Setting{"small", "small", {}},
        Setting{"wide", "wide", {}},
        Setting{"stalls", "default", {"dram_stall_percent=60", "dram_queue=3"}},
        Setting{"two_engines_stalls", "small", {"dram_stall_percent=80"}},
        Setting{"one_at_a_time", "small", {"dram_queue=1"}},
        Setting{"refresh", "small", {"dram_refresh_interval_ns=1000", "dram_page_bytes=64"}}),
    [](const auto& setting) { return std::string(setting.param.name); });

}  // namespace
}  // namespace ppu::hw::test
