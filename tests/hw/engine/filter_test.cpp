// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Filtered passes: the timed engine against a clock-by-clock engine and the functional one.
#include <gtest/gtest.h>

#include "tests/hw/support/filter_programs.hpp"
#include "tests/hw/support/judged_job.hpp"

namespace ppu::hw::test {
namespace {

struct Total {
  std::uint64_t updates = 0, filtered = 0, filter_cycles = 0;
  void add(const RunReport& report) {
    updates += report.counters[PPU_COUNTER_ROW_UPDATES];
    filtered += report.counters[PPU_COUNTER_ROWS_FILTERED];
    filter_cycles += report.counters[PPU_COUNTER_FILTER_CYCLES];
  }
};

/// Judges the job; the functional engine must give the same bits and untimed counters.
RunReport judge_with_functional(FilterJob& filter, const Config& config, std::uint64_t pace = 1) {
  Job functional = filter.job;
  Job timed = filter.job;
  const RunReport want = run_functional(functional, config);
  const RunReport got = judge(timed, filter.rows, config, pace);
  EXPECT_EQ(want.status, PPU_RUN_OK);
  EXPECT_EQ(functional.state(), timed.state());
  EXPECT_EQ(want.progress, got.progress);
  for (std::size_t n = 0; n < spec::kCounters.size(); ++n) {
    if (spec::kCounters[n].timed) continue;
    EXPECT_EQ(want.counters[n], got.counters[n]) << spec::kCounters[n].name;
  }
  EXPECT_EQ(stall_sum(got), got.counters[PPU_COUNTER_CYCLES]);
  return got;
}

using Shape = std::tuple<int, int, int, int>;  ///< Pipes, filter_window, lanes, banks.

std::vector<std::string> keys_of(const Shape& shape) {
  const auto [pipes, window, lanes, banks] = shape;
  return {"pipes=" + std::to_string(pipes), "filter_window=" + std::to_string(window),
          "lanes=" + std::to_string(lanes), "velocity_banks=" + std::to_string(banks)};
}

std::string name_of(const Shape& shape) {
  const auto [pipes, window, lanes, banks] = shape;
  return "P" + std::to_string(pipes) + "W" + std::to_string(window) + "L" + std::to_string(lanes) +
         "B" + std::to_string(banks);
}

class EveryShape : public testing::TestWithParam<Shape> {};

TEST_P(EveryShape, SearchesResidentRowsAsAClockByClockEngineDoes) {
  const Config config = slot_order("default", keys_of(GetParam()));
  Total total;
  unsigned seed = 0;
  for (const std::uint32_t bodies : {6U, 60U, 600U})
    for (const float threshold : {0.0F, 0.4F, 4.0F})
      for (const bool reduced : {false, true})
        for (const bool again : {false, true}) {
          ++seed;
          FilterJob job(60 + seed * 7 % 140, bodies, seed, threshold, reduced, again);
          total.add(judge_with_functional(job, config));
          if (HasFailure()) return;
        }
  EXPECT_GT(total.updates, 1000U);
  EXPECT_GT(total.filtered, 1000U);
  EXPECT_GT(total.filter_cycles, 100U);
}

TEST_P(EveryShape, PassesOverStreamedRowsAsAClockByClockEngineDoes) {
  std::vector<std::string> keys = keys_of(GetParam());
  keys.emplace_back("row_memory_rows=32");
  const Config config = slot_order("default", keys);
  Total total;
  unsigned seed = 100;
  for (const std::uint32_t bodies : {6U, 60U})
    for (const float threshold : {0.0F, 0.3F, 4.0F})
      for (const std::uint64_t pace : {1U, 3U})
        for (const bool reduced : {false, true}) {
          ++seed;
          FilterJob job(60 + seed * 7 % 140, bodies, seed, threshold, reduced, seed % 2 == 0);
          total.add(judge_with_functional(job, config, pace));
          if (HasFailure()) return;
        }
  EXPECT_GT(total.filtered, 1000U);
}

INSTANTIATE_TEST_SUITE_P(Shapes, EveryShape,
                         testing::Combine(testing::Values(1, 2, 4), testing::Values(1, 2, 4, 8),
                                          testing::Values(4, 12), testing::Values(2, 8)),
                         [](const auto& shape) { return name_of(shape.param); });

/// Rows without bodies in common, each on a body of its own; slot s is on body s.
std::vector<ppu_row> separate_rows(std::uint32_t count) {
  std::vector<ppu_row> rows = random_rows(count, count + 1, 1);
  for (std::uint32_t slot = 0; slot < count; ++slot) {
    rows[slot].body_a = slot;
    rows[slot].body_b = rows[slot].parent = PPU_NONE;
  }
  return rows;
}

/// The rows in `first` and behind it mark their bodies; then a filtered pass over all rows.
std::string mark_some(std::uint32_t first, std::uint32_t count) {
  return "kernel all\nli t0, " + std::to_string(first) + "\nli t1, " + std::to_string(count) +
         "\nrows t0, t1\ntagnext\nkernel sweep\nrows zero, a0\nhalt\n" +
         kernel("all", {false, true, false, false}) + kernel("sweep", {true, false, false, false});
}

RunReport run_marked(std::uint32_t rows, std::uint32_t first, std::uint32_t count,
                     const std::vector<std::string>& keys) {
  const std::vector<ppu_row> records = separate_rows(rows);
  Job job(records, rows, mark_some(first, count));
  return judge(job, records, slot_order("default", keys));
}

TEST(Filter, AWindowWithoutTagsTakesACycle) {
  for (const std::uint32_t pipes : {1U, 2U, 4U})
    for (const std::uint32_t window : {1U, 2U, 4U, 8U}) {
      const std::vector<std::string> keys = {"pipes=" + std::to_string(pipes),
                                             "filter_window=" + std::to_string(window)};
      // No row but two cycles before the first look, and one for each window.
      const RunReport report = run_marked(640, 0, 0, keys);
      EXPECT_EQ(report.counters[PPU_COUNTER_ROWS_FILTERED], 640U);
      EXPECT_EQ(report.counters[PPU_COUNTER_ROW_UPDATES], 0U);
      EXPECT_EQ(report.counters[PPU_COUNTER_FILTER_CYCLES], 2 + 640 / (pipes * window));
    }
}

TEST(Filter, OnlyRowsOfMarkedBodiesAreUpdated) {
  const RunReport report = run_marked(300, 100, 50, {"pipes=4"});
  EXPECT_EQ(report.counters[PPU_COUNTER_ROW_UPDATES], 100U);
  EXPECT_EQ(report.counters[PPU_COUNTER_ROWS_FILTERED], 250U);
}

TEST(Filter, TagsThatWereNotMadeCurrentTakeNoRow) {
  Job job(separate_rows(20), 20,
          "tagall\nkernel sweep\nrows zero, a0\nhalt\n" + kernel("sweep", {true, true}));
  EXPECT_EQ(run_timed(job, slot_order("default")).counters[PPU_COUNTER_ROWS_FILTERED], 20U);
}

TEST(Filter, NextTagsAreClearWhenTheyBecomeCurrent) {
  Job job(separate_rows(20), 20,
          "tagall\ntagnext\ntagnext\nkernel sweep\nrows zero, a0\nhalt\n" +
              kernel("sweep", {true, true}));
  EXPECT_EQ(run_timed(job, slot_order("default")).counters[PPU_COUNTER_ROWS_FILTERED], 20U);
}

TEST(Filter, ARunBeginsWithoutTagsAndWithThresholdZero) {
  // Each row changes its velocity: with threshold 0 all bodies are marked.
  const RunReport report = run_marked(30, 0, 30, {});
  EXPECT_EQ(report.counters[PPU_COUNTER_ROW_UPDATES], 60U);
}

TEST(Filter, ABadStreamedRowEndsTheRunThoughNoBodyIsTagged) {
  std::vector<ppu_row> rows = separate_rows(20);
  rows[7].body_b = 77;
  Job job(rows, 20, mark_some(0, 0));
  job.command.stream = true;
  for (const RunReport& report :
       {run_functional(job, slot_order("default")), run_timed(job, slot_order("default"))}) {
    EXPECT_EQ(report.status, PPU_RUN_BAD_ROW);
    EXPECT_EQ(report.fault_row, 7U);
  }
}

TEST(Filter, TheProfileOfAllRowsAddsUpToTheRowsShareOfTheCycles) {
  for (const char* memory : {"row_memory_rows=32", "row_memory_rows=1024"}) {
    FilterJob filter(150, 60, 5, 0.5F, false, true);
    const TimedRun run = run_timed_fully(filter.job, slot_order("small", {memory}));
    std::uint64_t cycles = 0;
    for (const RowProfile& row : run.profile) cycles += row.cycles;
    const Counters& c = run.report.counters;
    EXPECT_EQ(cycles,
              c[PPU_COUNTER_CYCLES] - c[PPU_COUNTER_CONTROL_CYCLES] - c[PPU_COUNTER_DRAIN_CYCLES]);
  }
}

}  // namespace
}  // namespace ppu::hw::test
