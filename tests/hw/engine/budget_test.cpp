// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Budgets: runs that use them up in any cycle, against a clock-by-clock engine.
#include <gtest/gtest.h>

#include <limits>

#include "tests/hw/support/filter_programs.hpp"
#include "tests/hw/support/judged_job.hpp"

namespace ppu::hw::test {
namespace {

/// a1 sweeps, with as many passes in the queue as fit; the sum of what `rdlate` read is signalled.
/// `behind` comes behind each `rows`.
std::string sweeps(const std::string& behind, const Kernel& with = {}) {
  return "budget a7\nkernel plain\nli t0, 0\nli t4, 0\nmore: bge t0, a1, out\nrows zero, a0\n" +
         behind +
         "rdlate t3\nadd t4, t4, t3\naddi t0, t0, 1\nj more\n"
         "out: rdlate t3\nadd t4, t4, t3\nwait\nrdlate t3\nadd t4, t4, t3\nsignal t4\nrows zero, "
         "a0\n"
         "rdmax t2\nhalt\n" +
         kernel("plain", with);
}

// A sanitizer makes a run ten times as long and looks at memory, not at cycles: it takes fewer.
#ifdef __SANITIZE_ADDRESS__
constexpr std::uint32_t kStep = 7;
#else
constexpr std::uint32_t kStep = 1;
#endif

/// Judges `job` with budgets from 1 in steps until nothing is cut; returns how many cut something.
std::uint32_t judge_budgets(Job job, const std::vector<ppu_row>& rows, const Config& config,
                            std::uint64_t pace = 1, std::uint32_t step = kStep) {
  std::uint32_t cut = 0;
  for (std::uint32_t budget = 1;; budget += step) {
    Job limited = job;
    limited.command.arguments[7] = budget;
    const RunReport report = judge(limited, rows, config, pace);
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "budget " << budget;
      return 0;
    }
    if (report.counters[PPU_COUNTER_PASSES_CUT] == 0) return cut;
    ++cut;
  }
}

TEST(Budget, CutsResidentPassesInAnyCycle) {
  for (const char* pipes : {"pipes=1", "pipes=4"})
    for (const char* behind : {"", "wait\n", "rdmax t2\n", "bmax zero, on\non: "}) {
      const std::vector<ppu_row> rows = random_rows(24, 12, 3);
      const std::uint32_t cut = judge_budgets(Job(rows, 12, sweeps(behind)), rows,
                                              slot_order("small", {pipes, "lanes=12"}));
      EXPECT_GT(cut, 100 / kStep);
    }
}

/// Pairs where memory is slow, so that they wait on the port.
const char* port_of(std::uint64_t pace) {
  return pace == 1 ? "memory_port_beats=1" : "memory_port_beats=2";
}

TEST(Budget, CutsStreamedPassesInAnyCycleAndWaitsForTheirBeats) {
  for (const char* pipes : {"pipes=1", "pipes=4"})
    for (const char* behind : {"", "wait\n"})
      for (const bool reduced : {false, true})
        for (const std::uint64_t pace : {1U, 4U}) {
          const std::vector<ppu_row> rows = filter_rows(20, 30, 1, true);
          Job job(rows, 30, sweeps(behind, {false, false, false, reduced}), reduced);
          const std::uint32_t cut = judge_budgets(
              job, rows, slot_order("default", {pipes, "row_memory_rows=16", port_of(pace)}), pace);
          EXPECT_GT(cut, 50 / kStep);
        }
}

TEST(Budget, CutsFilteredPassesInAnyCycle) {
  for (const char* memory : {"row_memory_rows=16", "row_memory_rows=1024"})
    for (const char* pipes : {"pipes=1", "pipes=2"})
      for (const bool reduced : {false, true}) {
        FilterJob filter(24, 40, 1, 0.5F, reduced, true);
        filter.job.command.arguments[1] = 2;
        const Config config = slot_order("default", {memory, pipes});
        Job whole = filter.job;
        EXPECT_GT(judge(whole, filter.rows, config).counters[PPU_COUNTER_ROWS_FILTERED], 10U);
        const std::uint32_t cut = judge_budgets(filter.job, filter.rows, config);
        EXPECT_GT(cut, 50 / kStep);
      }
}

TEST(Budget, EndsASearchThatIsAheadOfTheIssueStage) {
  for (const char* window : {"filter_window=1", "filter_window=4"})
    for (const char* pipes : {"pipes=1", "pipes=4"}) {
      FilterJob filter(200, 150, 6, 0.5F, false, true);
      filter.job.command.arguments[1] = 3;
      judge_budgets(filter.job, filter.rows, slot_order("default", {window, pipes}), 1, 61 * kStep);
    }
}

TEST(Budget, CountsFromTheFirstInstructionButNotBeforeTheNextCycle) {
  // The budget is set in the cycle in which 24 rows have issued or are about to, for good.
  const std::vector<ppu_row> rows = random_rows(24, 200, 3);
  for (int idle = 0; idle < 40; ++idle) {
    std::string source = "kernel plain\nrows zero, a0\nrows zero, a0\n";
    for (int n = 0; n < idle; ++n) source += "li t0, 1\n";
    source += "budget t0\nrdlate t1\nsignal t1\nhalt\n" + kernel("plain", {});
    Job job(rows, 200, idle == 0 ? "li t0, 1\n" + source : source);
    judge(job, rows, slot_order("default"));
  }
}

TEST(Budget, CanBeChangedUntilTheRunIsLateAndNotAfterwards) {
  const std::vector<ppu_row> rows = random_rows(24, 12, 3);
  const std::string source =
      "budget a6\nkernel plain\nrows zero, a0\nrows zero, a0\nli t0, 0\nbudget a7\n"
      "rdlate t1\nrows zero, a0\nwait\nrdlate t2\nadd t1, t1, t2\nsignal t1\nhalt\n" +
      kernel("plain", {});
  // The second `budget` executes some 20 cycles after the first instruction.
  for (const std::uint32_t second : {0U, 1U, 22U, 700U}) {
    bool lifted = false, kept = false;
    for (std::uint32_t first = 1; first < 60; ++first) {
      Job job(rows, 12, source);
      job.command.arguments[6] = first;
      job.command.arguments[7] = second;
      const bool cut = judge(job, rows, slot_order("default")).progress > 0;
      EXPECT_FALSE(cut && lifted) << first;
      lifted = lifted || !cut;
      kept = kept || cut;
    }
    EXPECT_TRUE(kept);
    EXPECT_EQ(lifted, second == 0);
  }
}

TEST(Budget, OfZeroIsNone) {
  const std::vector<ppu_row> rows = random_rows(24, 12, 3);
  Job job(rows, 12, sweeps(""));
  const RunReport report = judge(job, rows, slot_order("default"));
  EXPECT_EQ(report.counters[PPU_COUNTER_PASSES_CUT], 0U);
  EXPECT_EQ(report.counters[PPU_COUNTER_ROW_UPDATES], 4U * 24U);
}

TEST(Budget, IsIllegalWhereThereIsNoTime) {
  const std::vector<ppu_row> rows = random_rows(24, 12, 3);
  Job job(rows, 12, sweeps(""));
  EXPECT_EQ(run_functional(job, slot_order("default")).status, PPU_RUN_OK);
  job.command.arguments[7] = 1'000'000;
  const RunReport report = run_functional(job, slot_order("default"));
  EXPECT_EQ(report.status, PPU_RUN_ILLEGAL_INSTRUCTION);
  EXPECT_EQ(report.fault_detail, 0U);
}

TEST(Budget, ABadStreamedRowThatIsNotReachedInTimeDoesNotEndTheRun) {
  std::vector<ppu_row> rows = random_rows(24, 12, 3);
  rows[20].body_a = rows[20].body_b = 5;
  const Config config = slot_order("default");
  int ended = 0, over_budget = 0;
  for (std::uint32_t budget = 1; budget < 700; budget += 3) {
    Job job(rows, 12, sweeps(""));
    job.command.stream = true;
    job.command.arguments[7] = budget;
    const ppu_run_status status = judge_any(job, rows, config, 1).status;
    ++(status == PPU_RUN_OK ? over_budget : ended);
    EXPECT_TRUE(status == PPU_RUN_OK || status == PPU_RUN_BAD_ROW) << budget;
  }
  EXPECT_GT(ended, 10);
  EXPECT_GT(over_budget, 10);
}

TEST(Budget, AFaultOfARowThatIssuedInTimeEndsALateRun) {
  std::vector<ppu_row> rows = random_rows(24, 200, 3);
  rows[23].bias = std::numeric_limits<float>::infinity();
  Job job(rows, 200, sweeps(""));
  bool fault = false, over_budget = false;
  for (std::uint32_t budget = 1; budget < 1500; budget += 7) {
    job.command.arguments[7] = budget;
    const RunReport report = judge_any(job, rows, slot_order("default"), 1);
    EXPECT_TRUE(!fault || report.status == PPU_RUN_ROW_FAULT);
    fault = report.status == PPU_RUN_ROW_FAULT;
    over_budget = over_budget || report.status == PPU_RUN_OK;
  }
  EXPECT_TRUE(fault && over_budget);
}

}  // namespace
}  // namespace ppu::hw::test
