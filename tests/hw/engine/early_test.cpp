// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Runs that begin before their rows have come: the bits of any other run, rows that issue as soon
// as they are there, and a second sweep around closed rings (docs/inside/dataflow.md, Early runs).
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "tests/hw/support/judged_job.hpp"

namespace ppu::hw::test {
namespace {

constexpr std::uint64_t kStart = 100;

struct Outcome {
  RunReport report;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> issues;  ///< Cycle and slot.
  std::vector<std::uint64_t> came;  ///< Of each row: the cycle of its last beat.
  std::size_t captured = 0;         ///< Beats of rows that were taken as they came.
  /// Reads of other ones: the cycle, and how many beats had come.
  std::vector<std::pair<std::uint64_t, std::uint32_t>> reads;
};

/// A copy writes a beat of the rows in cycles that are multiples of `pace`.
Outcome run_early(Job& job, const Config& config, std::uint64_t pace) {
  job.command.chained = job.command.early = true;
  Outcome run;
  IssueTrace trace;
  EnginePort port;
  TimedEngine engine(config, 0, job.memory(), port, nullptr, &trace);
  engine.load_program(0, job.words.data(), job.command.program_words);
  engine.start(kStart, job.command);
  std::uint32_t written = 0;
  for (std::uint64_t cycle = kStart + 1; port.done_cycle > cycle; ++cycle) {
    while (port.limit() <= cycle) engine.advance();
    port.capture(cycle);
    if (port.stands_from() <= cycle) {
      const EnginePort::Request& request = port.requests.front();
      if (request.write) engine.accept_write();
      for (std::uint32_t n = request.pairs ? 2 : 1; request.gated && n > 0; --n)
        run.reads.emplace_back(cycle, written);
      port.accept(cycle, cycle + PlainMemory::kLatency);
    }
    if (written == 2 * job.command.row_count || cycle % pace != 0) continue;
    port.write(cycle, job.command.rows_address + spec::kBeatBytes * written++);
    if (written % 2 == 0) run.came.push_back(cycle + 1);
  }
  run.report = engine.report();
  run.issues = trace.issues;
  run.captured = port.captured;
  return run;
}

TEST(Early, LeavesTheBitsOfSlotOrderForEveryProgramAndPace) {
  for (const char* name : {"pgs", "boxed", "threshold", "filter", "impulse", "impulse-threshold",
                           "nesterov", "classes"})
    for (const char* pipes : {"pipes=1", "pipes=4"})
      for (const std::uint64_t pace : {1U, 2U, 7U, 40U})
        for (const std::uint32_t bodies : {3U, 40U, 400U}) {
          const auto rows = random_rows(150, bodies, bodies);
          Job judge(rows, bodies, program(name));
          const RunReport want = run_functional(judge, resolve_config("default", {}));
          Job job(rows, bodies, program(name));
          const Outcome run =
              run_early(job, resolve_config("default", {pipes, "velocity_banks=4"}), pace);
          ASSERT_EQ(want.status, PPU_RUN_OK);
          EXPECT_EQ(run.report.status, PPU_RUN_OK);
          EXPECT_EQ(job.state(), judge.state()) << name << pipes << pace;
          EXPECT_EQ(run.report.last_residual, want.last_residual);
          EXPECT_EQ(run.report.counters[PPU_COUNTER_ROW_UPDATES],
                    want.counters[PPU_COUNTER_ROW_UPDATES]);
          EXPECT_EQ(stall_sum(run.report), run.report.counters[PPU_COUNTER_CYCLES]);
        }
}

TEST(Early, ARowThatWaitsForNothingIssuesAFewCyclesAfterItHasCome) {
  std::vector<std::array<std::uint32_t, 2>> bodies;
  for (std::uint32_t body = 0; body < 100; ++body) bodies.push_back({body, PPU_NONE});
  for (const std::uint32_t steps : {0U, 1U, 2U}) {
    Job job(rows_on(bodies), 100, program("pgs"));
    job.command.arguments[1] = 1;
    const Outcome run =
        run_early(job, resolve_config("default", {"pipes=" + std::to_string(1U << steps)}), 20);
    ASSERT_EQ(run.issues.size(), 100U);
    for (const auto& [cycle, slot] : run.issues)
      if (slot >= 50) {  // Those before may have come during the load.
        EXPECT_EQ(cycle, run.came[slot] + 11 + steps) << slot;
      }
    EXPECT_LT(run.report.counters[PPU_COUNTER_LOAD_CYCLES], 200U);
  }
}

TEST(Early, EveryBodySeesItsRowsInOrderABodyLatencyApart) {
  for (const std::uint64_t pace : {1U, 3U, 17U})
    for (const std::uint32_t bodies : {2U, 30U, 300U}) {
      const auto rows = random_rows(200, bodies, bodies);
      const Config config = resolve_config("default", {"pipes=2"});
      Job job(rows, bodies, program("boxed"));
      const Outcome run = run_early(job, config, pace);
      ASSERT_EQ(run.issues.size(), 600U);
      std::map<std::uint32_t, std::uint32_t> seen;                  // Rows of a body so far.
      std::map<std::uint32_t, std::uint64_t> from;                  // A body is free from here on.
      std::map<std::uint32_t, std::vector<std::uint32_t>> of_body;  // Its rows in slot order.
      for (std::uint32_t slot = 0; slot < 200; ++slot)
        for (const std::uint32_t body : {rows[slot].body_a, rows[slot].body_b})
          if (body != PPU_NONE) of_body[body].push_back(slot);
      for (const auto& [cycle, slot] : run.issues)
        for (const std::uint32_t body : {rows[slot].body_a, rows[slot].body_b}) {
          if (body == PPU_NONE) continue;
          EXPECT_EQ(of_body[body][seen[body]++ % of_body[body].size()], slot) << "body " << body;
          EXPECT_GE(cycle, from[body]) << "body " << body;
          from[body] = cycle + static_cast<std::uint64_t>(body_latency(config));
        }
    }
}

TEST(Early, TheSecondSweepGoesAroundRingsThatAreClosed) {
  std::vector<std::array<std::uint32_t, 2>> bodies;
  for (std::uint32_t body = 0; body < 60; ++body) bodies.push_back({body, PPU_NONE});
  const Config config = resolve_config("default");
  Job job(rows_on(bodies), 60, program("pgs"));
  job.command.arguments[1] = 2;
  const Outcome run = run_early(job, config, 20);
  ASSERT_EQ(run.issues.size(), 120U);
  const std::uint64_t drained =
      run.issues[59].first + static_cast<std::uint64_t>(body_latency(config));
  EXPECT_GE(run.issues[60].first, drained + 3 + 60);
  EXPECT_LT(run.issues[60].first, drained + 3 + 60 + 20);
  EXPECT_EQ(run.issues[119].first, run.issues[60].first + 59);
}

TEST(Early, ABadRowEndsTheRunWhenAllHaveComeWhateverTheProgramHasDone) {
  for (const std::uint32_t slot : {0U, 77U, 149U}) {
    auto rows = random_rows(150, 40, 3);
    rows[slot].body_a = 40;
    Job job(rows, 40, program("boxed"));
    const std::vector<std::uint32_t> before = job.state();
    const Outcome run = run_early(job, resolve_config("default"), 4);
    EXPECT_EQ(run.report.status, PPU_RUN_BAD_ROW);
    EXPECT_EQ(run.report.fault_row, slot);
    EXPECT_EQ(run.report.fault_detail, PPU_FAULT_BODY_A);
    EXPECT_EQ(run.came.size(), 150U);
    EXPECT_EQ(job.state(), before);
  }
}

TEST(Early, MeansNothingWhereRowsIssueInSlotOrder) {
  for (const char* key : {"row_memory_rows=2048", "row_memory_rows=64"}) {
    Job job(random_rows(150, 40, 3), 40, program("boxed"));
    Job other(random_rows(150, 40, 3), 40, program("boxed"));
    const Config config = resolve_config("default", {"dataflow=0", key});
    const Outcome early = run_early(job, config, 2);
    EXPECT_FALSE(is_early(config, job.command));
    run_functional(other, config);
    EXPECT_EQ(early.report.status, PPU_RUN_OK);
    EXPECT_EQ(job.state(), other.state());
    EXPECT_GT(early.issues.front().first, early.came.back());
  }
}

TEST(Early, StreamedRowsAreTakenAsTheyCome) {
  // A place for each row, or places in turn; one beat in a cycle, or both of a row.
  for (const char* places : {"row_memory_rows=160", "row_memory_rows=64"})
    for (const char* beats : {"memory_port_beats=1", "memory_port_beats=2"})
      for (const std::uint64_t pace : {1U, 30U}) {
        Job job(random_rows(150, 400, 3), 400, program("boxed"));
        Job other(random_rows(150, 400, 3), 400, program("boxed"));
        job.command.stream = true;
        const Config config = resolve_config("default", {places, beats});
        const Outcome run = run_early(job, config, pace);
        run_functional(other, config);
        EXPECT_EQ(job.state(), other.state());
        ASSERT_EQ(run.report.status, PPU_RUN_OK);
        EXPECT_EQ(run.report.counters[PPU_COUNTER_ROW_BYTES_STREAMED], 3U * 150U * PPU_ROW_BYTES);
        EXPECT_EQ(run.captured + run.reads.size(), 3U * 2U * 150U) << "three sweeps";
        EXPECT_EQ(run.report.counters[PPU_COUNTER_MEMORY_READ_BEATS],
                  10U + 200U + run.reads.size());
        // What came before the first sweep is read, and what does not find it waiting.
        for (std::size_t n = 0; n < std::min(run.reads.size(), std::size_t{300}); ++n)
          EXPECT_TRUE(n < run.reads[n].second || run.reads[n].second == 300) << n;
        if (pace == 1) continue;
        EXPECT_GT(run.captured, 200U);
        EXPECT_LT(run.issues[100].first, run.came.back());
      }
}

}  // namespace
}  // namespace ppu::hw::test
