// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The timestamps of the timed engine are exact: a clock-by-clock engine does the same in every
// cycle.
#include <gtest/gtest.h>

#include "tests/hw/support/judged_job.hpp"

namespace ppu::hw::test {
namespace {

TEST(Timing, EqualsAClockByClockEngineForEveryLaneCountAndDepth) {
  for (const char* lanes : {"lanes=1", "lanes=4", "lanes=12"})
    for (const char* stages : {"fp_add_stages=1", "fp_add_stages=5"})
      for (const std::uint32_t bodies : {2U, 10U, 200U}) {
        const Config config = slot_order("default", {lanes, stages});
        judge(random_rows(150, bodies, bodies), bodies, program("boxed"), config);
      }
}

TEST(Timing, EqualsAClockByClockEngineForManyPipesAndFewBanks) {
  for (const char* pipes : {"pipes=1", "pipes=2", "pipes=4", "pipes=16"})
    for (const char* banks : {"velocity_banks=2", "velocity_banks=8", "velocity_banks=64"})
      for (const char* lanes : {"lanes=4", "lanes=12"})
        for (const std::uint32_t bodies : {10U, 300U}) {
          const Config config = slot_order("default", {pipes, banks, lanes, "fp_add_stages=1"});
          judge(random_rows(150, bodies, bodies), bodies, program("boxed"), config);
        }
}

TEST(Timing, EqualsAClockByClockEngineForShortPassesWherePassesQueue) {
  const Config config = slot_order("default");
  for (const std::uint32_t rows : {0U, 1U, 2U, 5U})
    judge(random_rows(rows, 8, 3), 8, program("boxed"), config);
}

TEST(Timing, EqualsAClockByClockEngineWithDrainsBetweenPasses) {
  const std::string source =
      "kernel k\nli t0, 0\nagain: bge t0, a1, out\nrows zero, a0\nwait\nrdmax t1\nrows zero, a0\n"
      "addi t0, t0, 1\nj again\nout: halt\n"
      ".kernel k\n ldrow r\n ldvel v, r.ia, r.ib\n dot u, r.J, v, r.b\n step t, r.x, r.d, u\n"
      " max x, 0, t\n sub dx, x, r.x\n axpy v, dx, r.JM\n stvel v, r.ia, r.ib\n stimp x\n.end\n";
  for (unsigned seed = 1; seed < 6; ++seed)
    judge(random_rows(40, 12, seed), 12, source, slot_order("small"));
}

TEST(Timing, EqualsAClockByClockEngineWithStreamedRows) {
  for (const char* pipes : {"pipes=1", "pipes=4"})
    for (const char* memory : {"row_memory_rows=16", "row_memory_rows=64"})
      for (const char* port : {"memory_port_beats=1", "memory_port_beats=2"})
        for (const std::uint64_t pace : {1U, 3U}) {
          const Config config = slot_order("default", {pipes, memory, port, "lanes=4"});
          Job job(random_rows(150, 40, 8), 40, program("boxed"));
          judge(job, random_rows(150, 40, 8), config, pace);
        }
}

TEST(Timing, ADependentRowIssuesOneBodyLatencyLater) {
  auto rows = random_rows(2, 2, 1);
  for (ppu_row& row : rows) {
    row.body_a = 0;
    row.body_b = PPU_NONE;
    row.parent = PPU_NONE;
  }
  const Config config = slot_order("default");
  const std::string once =
      "kernel k\nrows zero, a0\nhalt\n.kernel k\n ldrow r\n ldvel v, r.ia, r.ib\n dot u, r.J, v, "
      "r.b\n"
      " step t, r.x, r.d, u\n max x, 0, t\n sub dx, x, r.x\n axpy v, dx, r.JM\n"
      " stvel v, r.ia, r.ib\n stimp x\n.end\n";
  Job job(rows, 2, once);
  const RunReport report = run_timed(job, config);
  const auto latency = static_cast<std::uint64_t>(body_latency(config));
  EXPECT_EQ(report.counters[PPU_COUNTER_BODY_STALL_CYCLES], latency - 1);
  EXPECT_EQ(report.counters[PPU_COUNTER_DRAIN_CYCLES], latency);
  EXPECT_EQ(report.counters[PPU_COUNTER_ISSUE_CYCLES], 2U);
}

TEST(Timing, TheProfileOfAllRowsAddsUpToTheRowsShareOfTheCycles) {
  for (const char* memory : {"row_memory_rows=64", "row_memory_rows=1024"}) {
    Job job(random_rows(100, 20, 9), 20, program("boxed"));
    const TimedRun run = run_timed_fully(job, slot_order("small", {memory}));
    std::uint64_t cycles = 0;
    for (const RowProfile& row : run.profile) cycles += row.cycles;
    const Counters& c = run.report.counters;
    EXPECT_EQ(cycles,
              c[PPU_COUNTER_CYCLES] - c[PPU_COUNTER_CONTROL_CYCLES] - c[PPU_COUNTER_DRAIN_CYCLES]);
  }
}

TEST(Timing, ARowWithBothBodiesInOneBankTakesACycleMore) {
  auto rows = random_rows(1, 16, 1);
  rows[0].body_a = 1;
  rows[0].parent = PPU_NONE;
  const Config config = slot_order("default");
  rows[0].body_b = 2;
  Job apart(rows, 16, program("pgs"));
  rows[0].body_b = 1 + config.velocity_banks;
  Job together(rows, 16, program("pgs"));
  apart.command.arguments[1] = together.command.arguments[1] = 1;
  const RunReport fast = run_timed(apart, config);
  const RunReport slow = run_timed(together, config);
  EXPECT_EQ(fast.counters[PPU_COUNTER_BANK_STALL_CYCLES], 0U);
  EXPECT_EQ(slow.counters[PPU_COUNTER_BANK_STALL_CYCLES], 1U);
  EXPECT_EQ(slow.counters[PPU_COUNTER_BANK_CONFLICTS], 1U);
  // One before it issues, one before its second velocity is written.
  EXPECT_EQ(slow.counters[PPU_COUNTER_CYCLES], fast.counters[PPU_COUNTER_CYCLES] + 2);
}

}  // namespace
}  // namespace ppu::hw::test
