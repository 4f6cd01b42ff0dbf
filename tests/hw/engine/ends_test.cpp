// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Runs that end before their `halt`, in any cycle, over their budgets as well, against a
// clock-by-clock engine: which rows still issue, which beats are still read, and which cycle is the
// last one.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/hw/support/end_job.hpp"

namespace ppu::hw::test {
namespace {

TEST(Ends, ACancelComesInAnyCycle) {
  const Config config = slot_order("small", {"lanes=12", "row_memory_rows=32"});
  for (const Kind& kind : kKinds)
    for (const std::uint64_t pace : {1U, 5U}) {
      const EndJob end(kind, EndJob::some_rows());
      const std::uint64_t origin = origin_of(end.job, config, pace);
      int cancelled = 0;
      for (std::uint64_t cycle = origin;; ++cycle) {
        Job job = end.job;
        const RunReport report = judge_any(job, end.rows, config, pace, cycle);
        if (HasFailure()) return;
        if (report.status == PPU_RUN_OK) {
          EXPECT_EQ(report.counters[PPU_COUNTER_ROWS_FILTERED] > 5, kind.filtered);
          EXPECT_GT(report.counters[PPU_COUNTER_ROW_UPDATES], 30U);
          break;
        }
        EXPECT_EQ(report.status, PPU_RUN_CANCELLED);
        EXPECT_EQ(report.counters, Counters{});
        ++cancelled;
      }
      EXPECT_GT(cancelled, 100);
    }
}

TEST(Ends, ACancelEndsALateRun) {
  const Config config = slot_order("small", {"lanes=12", "row_memory_rows=32"});
  for (const Kind& kind : kKinds)
    for (const std::uint64_t pace : {1U, 16U}) {
      EndJob end(kind, EndJob::some_rows());
      const std::uint64_t origin = origin_of(end.job, config, pace);
      int cancelled = 0;
      for (const std::uint32_t budget : {30U, 31U, 47U, 64U, 90U}) {
        end.job.command.arguments[7] = budget;
        // Before the run is over its budget, while its last beats come, and behind.
        for (std::uint64_t cycle = origin + budget - 3; cycle < origin + budget + 45; ++cycle) {
          Job job = end.job;
          const RunReport report = judge_any(job, end.rows, config, pace, cycle);
          cancelled += report.status == PPU_RUN_CANCELLED ? 1 : 0;
          ASSERT_FALSE(HasFailure()) << "budget " << budget;
        }
      }
      EXPECT_GT(cancelled, 50);
    }
}

TEST(Ends, ACancelComesWhileARunIsLoaded) {
  const EndJob end(kKinds[0], EndJob::some_rows());
  const Config config = slot_order("default");
  const std::uint64_t origin = origin_of(end.job, config, 7);
  for (std::uint64_t cycle = 100; cycle < origin; ++cycle) {
    Job job = end.job;
    IssueTrace trace;
    const TimedRun run = run_timed_fully(job, config, {nullptr, &trace, 7, cycle});
    EXPECT_EQ(run.report.status, PPU_RUN_CANCELLED);
    EXPECT_EQ(trace.phases.at(spec::EnginePhase::kAbort), cycle + 1);
    // The read that waits already is accepted, and nothing behind it.
    const std::uint64_t last = run.reads.empty() ? 0 : run.reads.back();
    EXPECT_LE(last, cycle + 7);
    EXPECT_TRUE(last <= cycle || last % 7 == 0);
  }
}

TEST(Ends, ALateRunStillReadsTheBeatThatWaits) {
  // A beat is accepted in every 16th cycle, the next one waits from the cycle after on.
  constexpr std::uint64_t kPace = 16;
  const Config config = slot_order("default");
  EndJob end(kKinds[1], EndJob::some_rows());
  const std::uint64_t origin = origin_of(end.job, config, kPace);
  for (std::uint64_t over_budget_from = origin + 40; over_budget_from < origin + 40 + kPace;
       ++over_budget_from) {
    end.job.command.arguments[7] = static_cast<std::uint32_t>(over_budget_from - origin);
    Job job = end.job;
    judge(job, end.rows, config, kPace);
    job = end.job;
    const TimedRun run = run_timed_fully(job, config, {nullptr, nullptr, kPace});
    // In a multiple it is accepted before the run is over its budget, and the next one does not
    // wait yet.
    const std::uint64_t accepted = (over_budget_from - 1) / kPace * kPace;
    const std::uint64_t last = accepted == over_budget_from - 1 ? accepted : accepted + kPace;
    EXPECT_EQ(run.reads.back(), last) << "over budget from " << over_budget_from;
    EXPECT_EQ(run.report.counters[PPU_COUNTER_ROW_BYTES_STREAMED],
              64 * static_cast<std::uint64_t>(
                       std::count_if(run.reads.begin(), run.reads.end(),
                                     [origin](std::uint64_t cycle) { return cycle >= origin; })));
    // `wait` and its like, here `halt`, execute when it has come.
    EXPECT_GE(origin + run.report.counters[PPU_COUNTER_CYCLES],
              run.reads.back() + PlainMemory::kLatency + 1);
  }
}

TEST(Ends, AFaultEndsTheRunWhenItsRowLeavesThePipe) {
  for (const char* stages : {"fp_add_stages=1", "fp_add_stages=4"})
    for (const char* pipes : {"pipes=1", "pipes=4"})
      for (const Kind& kind : kKinds)
        for (std::uint32_t slot = 0; slot < EndJob::kRows; ++slot) {
          std::vector<ppu_row> rows = EndJob::some_rows();
          rows[slot].bias = kBadBias;
          const Config config =
              slot_order("default", {stages, pipes, "lanes=12", "row_memory_rows=32"});
          EndJob end(kind, rows);
          const RunReport report = judge_any(end.job, rows, config, 1 + slot % 3);
          EXPECT_EQ(report.status, PPU_RUN_ROW_FAULT);
          EXPECT_EQ(report.fault_row, slot);
          ASSERT_FALSE(HasFailure());
        }
}

TEST(Ends, AFaultComesInTheMiddleOfASearch) {
  // Rows of the same bodies as one of the first five are live; the others are passed over.
  constexpr std::uint32_t kRows = 60, kBodies = 16;
  const std::string source =
      "kernel mark\nli t1, 5\nrows zero, t1\ntagnext\nkernel k\nrows zero, a0\nsignal a0\n"
      "halt\n" +
      kernel("mark", {false, true}) + kernel("k", {true});
  const Config config =
      slot_order("default", {"pipes=2", "lanes=12", "velocity_banks=2", "fp_add_stages=1"});
  int faults = 0;
  for (std::uint32_t slot = 5; slot < kRows; ++slot) {
    std::vector<ppu_row> rows = random_rows(kRows, kBodies, 4);
    rows[slot].bias = kBadBias;
    for (const bool stream : {false, true}) {
      Job job(rows, kBodies, source);
      job.command.stream = stream;
      faults += judge_any(job, rows, config, 1).status == PPU_RUN_ROW_FAULT ? 1 : 0;
      ASSERT_FALSE(HasFailure()) << slot;
    }
  }
  EXPECT_GT(faults, 20);
}

/// Judges the job with every budget until it ends within it; how often it ended so.
std::map<ppu_run_status, int> judge_budgets(const EndJob& end, const Config& config,
                                            std::uint64_t pace) {
  std::map<ppu_run_status, int> ends;
  for (std::uint32_t budget = 1; budget < 200; ++budget) {
    Job job = end.job;
    job.command.arguments[7] = budget;
    ++ends[judge_any(job, end.rows, config, pace).status];
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "budget " << budget;
      break;
    }
  }
  return ends;
}

TEST(Ends, AFaultOfARowThatIssuedInTimeEndsALateRun) {
  const Config config = slot_order("default", {"lanes=12", "row_memory_rows=32"});
  for (const Kind& kind : kKinds)
    for (const std::uint64_t pace : {1U, 5U}) {
      std::vector<ppu_row> rows = EndJob::some_rows();
      rows[5].bias = kBadBias;
      const EndJob end(kind, rows);
      std::map<ppu_run_status, int> ends = judge_budgets(end, config, pace);
      EXPECT_GT(ends[PPU_RUN_OK], 5);
      EXPECT_GT(ends[PPU_RUN_ROW_FAULT], 20);
    }
}

TEST(Ends, ABadStreamedRowEndsTheRunUnlessItIsLate) {
  for (const char* pipes : {"pipes=1", "pipes=4"})
    for (const Kind& kind : kKinds)
      for (const std::uint32_t slot : {0U, 3U, 10U}) {
        if (!kind.streamed) continue;
        std::vector<ppu_row> rows = EndJob::some_rows();
        rows[slot].parent = slot;
        const EndJob end(kind, rows);
        std::map<ppu_run_status, int> ends =
            judge_budgets(end, slot_order("small", {pipes, "lanes=12"}), 1 + slot % 2 * 3);
        EXPECT_GT(ends[PPU_RUN_OK], 5);
        EXPECT_GT(ends[PPU_RUN_BAD_ROW], 20);
        ASSERT_FALSE(HasFailure());
      }
}

TEST(Ends, AFaultComesBeforeABadRowBehindIt) {
  for (const Kind& kind : kKinds) {
    if (!kind.streamed) continue;
    std::vector<ppu_row> rows = EndJob::some_rows();
    rows[6].bias = kBadBias;
    rows[7].body_a = EndJob::kBodies;
    EndJob end(kind, rows);
    EXPECT_EQ(judge_any(end.job, rows, slot_order("default"), 1).status, PPU_RUN_ROW_FAULT);
  }
}

TEST(Ends, ABadRowThatIsPassedOverEndsAFilteredPass) {
  for (const bool reduced : {false, true}) {
    // No body is tagged.
    const std::string source =
        "kernel k\nrows zero, a0\nhalt\n" + kernel("k", {true, true, false, reduced});
    std::vector<ppu_row> rows = EndJob::some_rows();
    rows[9].body_b = EndJob::kBodies + 7;
    Job job(rows, EndJob::kBodies, source, reduced);
    job.command.stream = true;
    const RunReport report = judge_any(job, rows, slot_order("default"), 1);
    EXPECT_EQ(report.status, PPU_RUN_BAD_ROW);
    EXPECT_EQ(report.fault_row, 9U);
    EXPECT_EQ(report.fault_detail, PPU_FAULT_BODY_B);
    EXPECT_EQ(report.fault_value, EndJob::kBodies + 7);
  }
}

TEST(Ends, AnIllegalInstructionWaitsForTheBeatsOfALateRun) {
  const std::string source =
      "budget a7\nkernel plain\nrows zero, a0\nrows a0, a0\nhalt\n" + kernel("plain", {});
  const std::vector<ppu_row> rows = EndJob::some_rows();
  for (const std::uint64_t pace : {1U, 16U})
    for (std::uint32_t budget = 20; budget < 100; ++budget) {
      Job job(rows, EndJob::kBodies, source);
      job.command.stream = true;
      job.command.arguments[7] = budget;
      EXPECT_EQ(judge_any(job, rows, slot_order("default"), pace).status,
                PPU_RUN_ILLEGAL_INSTRUCTION);
      ASSERT_FALSE(HasFailure()) << budget;
    }
}

}  // namespace
}  // namespace ppu::hw::test
