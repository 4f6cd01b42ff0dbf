// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A stage in front of the choice of rows in slot order: the timed engine does the same in every
// cycle as a clock-by-clock engine.
#include <gtest/gtest.h>

#include "tests/hw/support/end_job.hpp"
#include "tests/hw/support/judged_job.hpp"

namespace ppu::hw::test {
namespace {

Config chosen(std::vector<std::string> with) {
  with.insert(with.end(), {"pipes=1", "choice_stages=1"});
  return slot_order("default", with);
}

TEST(Choice, ADependentRowIssuesOneBodyLatencyLaterWhichIsACycleMore) {
  auto rows = random_rows(2, 2, 1);
  for (ppu_row& row : rows) {
    row.body_a = 0;
    row.body_b = row.parent = PPU_NONE;
  }
  const std::string source = "kernel k\nrows zero, a0\nhalt\n" + kernel("k", {});
  // Without those of the words before `rows`.
  const auto cycles = [&](const Config& config) {
    const Counters counters = judge(rows, 2, source, config).counters;
    return counters[PPU_COUNTER_CYCLES] - (1 + counters[PPU_COUNTER_KERNEL_WORDS]) *
                                              static_cast<std::uint64_t>(word_cycles(config));
  };
  const Config with = chosen({"lanes=4"}), without = slot_order("default", {"lanes=4"});
  EXPECT_EQ(body_latency(with), body_latency(without) + 1);
  // Each of the two is a cycle longer under way, and the first one is looked at before it issues.
  EXPECT_EQ(cycles(with), cycles(without) + 3);
}

TEST(Choice, EqualsAClockByClockEngineForResidentAndStreamedRows) {
  for (const char* lanes : {"lanes=1", "lanes=3", "lanes=4"})
    for (const char* banks : {"velocity_banks=2", "velocity_banks=8"})
      for (const char* memory : {"row_memory_rows=16", "row_memory_rows=512"})
        for (const std::uint32_t bodies : {2U, 10U, 200U}) {
          const auto rows = random_rows(150, bodies, bodies);
          judge(rows, bodies, program("boxed"), chosen({lanes, banks, memory}));
          if (HasFailure()) return;
        }
}

TEST(Choice, EqualsAClockByClockEngineForFilteredPasses) {
  unsigned seed = 0;
  for (const char* window : {"filter_window=1", "filter_window=4"})
    for (const char* memory : {"row_memory_rows=32", "row_memory_rows=512"})
      for (const std::uint32_t bodies : {6U, 60U, 600U})
        for (const float threshold : {0.0F, 0.4F, 4.0F}) {
          ++seed;
          FilterJob job(60 + seed * 7 % 140, bodies, seed, threshold, seed % 2 == 0, true);
          judge(job.job, job.rows, chosen({"lanes=4", "velocity_banks=2", window, memory}));
          if (HasFailure()) return;
        }
}

TEST(Choice, EqualsAClockByClockEngineWhereverABudgetCutsARowFaultsOrOneIsBad) {
  int ended = 0, cut = 0;
  for (const Kind& kind : kKinds)
    for (const int wrong : {0, 1, 2}) {
      std::vector<ppu_row> rows = EndJob::some_rows();
      if (wrong == 1) rows[5].bias = kBadBias;
      if (wrong == 2 && kind.streamed) rows[5].parent = 5;
      const EndJob end(kind, rows);
      for (std::uint32_t budget = 1; budget < 300; ++budget) {
        Job job = end.job;
        job.command.arguments[7] = budget;
        const Config config = chosen({"lanes=4", "row_memory_rows=32"});
        ++(judge_any(job, rows, config, 1 + budget % 3).status == PPU_RUN_OK ? cut : ended);
        if (HasFailure()) return;
      }
    }
  EXPECT_GT(cut, 1000);
  EXPECT_GT(ended, 100);
}

TEST(Choice, EqualsAClockByClockEngineWhereverARunIsCancelled) {
  for (const Kind& kind : kKinds) {
    const EndJob end(kind, EndJob::some_rows());
    const Config config = chosen({"lanes=4", "row_memory_rows=32"});
    const std::uint64_t origin = origin_of(end.job, config, 1);
    for (std::uint64_t cycle = origin + 1; cycle < origin + 150; ++cycle) {
      Job job = end.job;
      judge_any(job, end.rows, config, 1, cycle);
      if (HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace ppu::hw::test
