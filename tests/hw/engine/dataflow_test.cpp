// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Dataflow issue: the bits of slot order, every body's rows in their order and a body latency
// apart, and sweeps that overlap (docs/inside/dataflow.md).
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/hw/support/judged_job.hpp"

namespace ppu::hw::test {
namespace {

struct Outcome {
  TimedRun timed;
  IssueTrace trace;
  std::vector<std::uint32_t> state;
};

Outcome run_job(const std::vector<ppu_row>& rows, std::uint32_t bodies, const std::string& source,
                const Config& config, std::uint32_t friction = 0, std::uint32_t sweeps = 3) {
  Job job(rows, bodies, source);
  job.command.arguments[1] = sweeps;
  job.command.arguments[3] = friction;
  Outcome run;
  run.timed = run_timed_fully(job, config, {nullptr, &run.trace});
  run.state = job.state();
  return run;
}

void expect_the_same_bits(const std::vector<ppu_row>& rows, std::uint32_t bodies,
                          const std::string& source, const Config& config,
                          std::uint32_t friction = 0) {
  Job job(rows, bodies, source);
  job.command.arguments[3] = friction;
  const RunReport want = run_functional(job, config);
  const Outcome run = run_job(rows, bodies, source, config, friction);
  EXPECT_EQ(run.timed.report.status, want.status);
  EXPECT_EQ(run.timed.report.fault_row, want.fault_row);
  EXPECT_EQ(run.timed.report.fault_detail, want.fault_detail);
  EXPECT_EQ(run.timed.report.last_residual, want.last_residual);
  EXPECT_EQ(run.timed.report.progress, want.progress);
  if (want.status == PPU_RUN_OK) {
    EXPECT_EQ(run.state, job.state());
    for (const ppu_counter counter : {PPU_COUNTER_ROW_UPDATES, PPU_COUNTER_FLOPS,
                                      PPU_COUNTER_ROWS_SKIPPED, PPU_COUNTER_VELOCITY_WRITES})
      EXPECT_EQ(run.timed.report.counters[counter], want.counters[counter]);
    EXPECT_EQ(stall_sum(run.timed.report), run.timed.report.counters[PPU_COUNTER_CYCLES]);
  }
}

Config dataflow(std::vector<std::string> keys) {
  keys.emplace_back("dataflow=1");
  return resolve_config("default", keys);
}

TEST(Dataflow, LeavesTheBitsOfSlotOrderForEveryProgramAndShape) {
  for (const char* name : {"pgs", "boxed", "threshold", "filter", "filter-literal", "impulse",
                           "impulse-threshold", "nesterov", "classes"})
    for (const char* pipes : {"pipes=1", "pipes=2", "pipes=4", "pipes=16"})
      for (const char* lanes : {"lanes=12", "lanes=4"})
        for (const std::uint32_t bodies : {3U, 40U, 400U})
          expect_the_same_bits(random_rows(150, bodies, bodies), bodies, program(name),
                               dataflow({pipes, lanes, "velocity_banks=4"}));
}

TEST(Dataflow, LeavesTheBitsOfSlotOrderWhereRowsAreStreamed) {
  for (const char* name : {"pgs", "boxed", "threshold", "filter", "impulse", "nesterov", "classes"})
    for (const char* pipes : {"pipes=1", "pipes=2", "pipes=4", "pipes=16"})
      for (const char* places : {"row_memory_rows=16", "row_memory_rows=48", "row_memory_rows=128"})
        for (const std::uint32_t bodies : {3U, 40U, 400U})
          expect_the_same_bits(random_rows(150, bodies, bodies), bodies, program(name),
                               dataflow({pipes, places, "velocity_banks=4"}));
}

TEST(Dataflow, StreamedRowsTakeNoLongerThanTheirBeats) {
  // Each row is on a body of its own: nothing but the memory holds them up.
  std::vector<std::array<std::uint32_t, 2>> bodies;
  for (std::uint32_t body = 0; body < 600; ++body) bodies.push_back({body, PPU_NONE});
  const Outcome run =
      run_job(rows_on(bodies), 600, program("pgs"), dataflow({"row_memory_rows=256"}), 0, 10);
  EXPECT_LT(run.timed.report.counters[PPU_COUNTER_CYCLES], 10 * 2 * 600U + 200);
}

TEST(Dataflow, ARowIssuesABodyLatencyAfterTheOneBeforeItOnAnyShape) {
  for (const char* pipes : {"pipes=1", "pipes=2", "pipes=4", "pipes=8", "pipes=16"})
    for (const char* stages : {"fp_add_stages=1", "fp_add_stages=5", "choice_stages=1"}) {
      const Config config = dataflow({pipes, stages, "fp_mul_stages=1"});
      const auto rows = rows_on({{0, PPU_NONE}, {0, 1}, {2, 0}, {PPU_NONE, 0}, {1, 0}});
      const Outcome run = run_job(rows, 3, program("pgs"), config, 0, 1);
      ASSERT_EQ(run.trace.issues.size(), 5U);
      const auto latency = static_cast<std::uint64_t>(body_latency(config));
      std::map<std::uint32_t, std::uint64_t> last;
      for (const auto& [cycle, slot] : run.trace.issues) {
        if (slot > 0) {
          EXPECT_EQ(cycle, last.at(slot - 1) + latency) << slot << pipes << stages;
        }
        last[slot] = cycle;
      }
    }
}

/// What a row uses: cycles and rows that use the same are compared with what the page promises.
struct Uses {
  std::uint64_t from = 0;             ///< A row may use it from this cycle on.
  std::uint32_t next = 0;             ///< Of a body: which of its rows is next.
  std::vector<std::uint32_t> rows{};  ///< Of a body, in slot order.
};

void expect_the_promises(const std::vector<ppu_row>& rows, std::uint32_t bodies,
                         const Config& config) {
  const Outcome run = run_job(rows, bodies, program("boxed"), config);
  ASSERT_EQ(run.trace.issues.size(), 3 * rows.size());
  std::vector<Uses> of_body(bodies), of_pipe(config.pipes), of_bank(config.velocity_banks);
  for (std::uint32_t slot = 0; slot < rows.size(); ++slot)
    for (const std::uint32_t body : {rows[slot].body_a, rows[slot].body_b})
      if (body != PPU_NONE) of_body[body].rows.push_back(slot);
  const auto latency = static_cast<std::uint64_t>(body_latency(config));
  for (const auto& [cycle, slot] : run.trace.issues) {
    Uses& pipe = of_pipe[slot % config.pipes];
    EXPECT_GE(cycle, pipe.from);
    pipe.from = cycle + static_cast<std::uint64_t>(initiation_interval(config));
    const ppu_row& row = rows[slot];
    const auto bank = [&config](std::uint32_t body) { return body % config.velocity_banks; };
    const bool one_bank =
        row.body_a != PPU_NONE && row.body_b != PPU_NONE && bank(row.body_a) == bank(row.body_b);
    for (const std::uint32_t body : {row.body_a, row.body_b}) {
      if (body == PPU_NONE) continue;
      Uses& uses = of_body[body];
      EXPECT_EQ(uses.rows[uses.next], slot) << "of body " << body;
      EXPECT_GE(cycle, uses.from) << "of body " << body;
      uses.next = (uses.next + 1) % static_cast<std::uint32_t>(uses.rows.size());
      uses.from = cycle + latency + (one_bank && body == row.body_b ? 1 : 0);
      if (one_bank && body == row.body_b) continue;
      EXPECT_GE(cycle, of_bank[bank(body)].from) << "of bank " << bank(body);
      of_bank[bank(body)].from = cycle + (one_bank ? 2 : 1);
    }
  }
}

TEST(Dataflow, EveryBodySeesItsRowsInOrderABodyLatencyApart) {
  for (const char* pipes : {"pipes=1", "pipes=2", "pipes=8", "pipes=16"})
    for (const char* banks : {"velocity_banks=2", "velocity_banks=32"})
      for (const char* lanes : {"lanes=3", "lanes=12"})
        for (const std::uint32_t bodies : {2U, 30U, 300U})
          for (const char* places : {"row_memory_rows=256", "row_memory_rows=48"})
            expect_the_promises(random_rows(200, bodies, bodies), bodies,
                                dataflow({pipes, banks, lanes, places}));
}

TEST(Dataflow, SecondVelocitiesOfOneBankComeACycleLater) {
  const Config config = dataflow({"velocity_banks=2"});
  const Outcome run = run_job(rows_on({{0, 2}, {2, PPU_NONE}}), 3, program("pgs"), config);
  const auto latency = static_cast<std::uint64_t>(body_latency(config));
  EXPECT_EQ(run.trace.issues[1].first, run.trace.issues[0].first + latency + 1);
}

TEST(Dataflow, LinksRowsAboutAsFastAsTheyArrive) {
  constexpr std::uint32_t kRowCount = 160, kBodyCount = 8;
  Job job(random_rows(kRowCount, kBodyCount, 2), kBodyCount, program("reduced"), true);
  const auto load_cycles = [&job](const Config& config) {
    return run_timed(job, config).counters[PPU_COUNTER_LOAD_CYCLES];
  };
  // Four rows take five beats.
  EXPECT_LT(load_cycles(dataflow({})),
            load_cycles(resolve_config("default")) + kBodyCount + kRowCount / 4);
}

TEST(Dataflow, SweepsOverlap) {
  // Body 0 has twenty rows, body 1 one: its row of the second sweep does not wait for them.
  std::vector<std::array<std::uint32_t, 2>> bodies(20, {0, PPU_NONE});
  bodies.push_back({1, PPU_NONE});
  const Outcome run = run_job(rows_on(bodies), 2, program("pgs"), dataflow({}));
  std::vector<std::uint64_t> lonely;
  for (const auto& [cycle, slot] : run.trace.issues)
    if (slot == 20) lonely.push_back(cycle - run.trace.issues[0].first);
  EXPECT_EQ(lonely[1], lonely[0] + 33);
  EXPECT_GT(lonely[2], 19 * 33U);
}

TEST(Dataflow, RowsOfTheOlderSweepGoFirst) {
  // Sixty rows could issue a second time before the chain of twenty ends. Behind its second row,
  // which waits for their first time, they do not hold it up.
  std::vector<std::array<std::uint32_t, 2>> bodies(20, {0, PPU_NONE});
  for (std::uint32_t body = 1; body <= 60; ++body) bodies.push_back({body, PPU_NONE});
  const Outcome run = run_job(rows_on(bodies), 61, program("pgs"), dataflow({}), 0, 2);
  std::vector<std::uint64_t> chain;
  for (const auto& [cycle, slot] : run.trace.issues)
    if (slot < 20) chain.push_back(cycle);
  for (std::size_t i = 2; i < 20; ++i) EXPECT_LE(chain[i] - chain[i - 1], 34U) << i;
}

TEST(Dataflow, NamesTheFirstFaultInSlotOrderThoughALaterRowFaultsEarlier) {
  for (const char* pipes : {"pipes=1", "pipes=4"}) {
    std::vector<std::array<std::uint32_t, 2>> bodies(20, {0, PPU_NONE});
    bodies.push_back({1, PPU_NONE});
    auto rows = rows_on(bodies);
    rows[20].bias = rows[15].bias = std::numeric_limits<float>::quiet_NaN();
    expect_the_same_bits(rows, 2, program("pgs"), dataflow({pipes}));
    const Outcome run = run_job(rows, 2, program("pgs"), dataflow({pipes}));
    EXPECT_EQ(run.timed.report.fault_row, 15U);
  }
}

TEST(Dataflow, RunsRowsWhoseParentIsOnOtherBodiesInSlotOrder) {
  for (const std::uint32_t friction : {0U, 1U}) {
    auto rows = random_rows(100, 40, 5);
    for (std::uint32_t slot = 0; slot < 100; slot += 3) rows[slot].parent = (slot * 7 + 1) % 100;
    expect_the_same_bits(rows, 40, program("boxed"), dataflow({"pipes=2"}), friction);
  }
}

TEST(Dataflow, UpdatesImpulsesAndVelocitiesTogetherWhereverTheBudgetCuts) {
  const auto rows = random_rows(60, 20, 3);
  for (std::uint32_t budget = 1; budget < 400; budget += 3) {
    Job job(rows, 20, program("boxed"));
    job.command.arguments[static_cast<std::size_t>(spec::Argument::kBudgetCycles)] = budget;
    const RunReport report = run_timed(job, dataflow({"pipes=2"}));
    EXPECT_EQ(report.status, PPU_RUN_OK);
    EXPECT_LE(report.counters[PPU_COUNTER_ROW_UPDATES], 180U);
    EXPECT_GE(report.counters[PPU_COUNTER_ROW_UPDATES], 60U * report.progress);
    EXPECT_EQ(stall_sum(report), report.counters[PPU_COUNTER_CYCLES]);
  }
}

}  // namespace
}  // namespace ppu::hw::test
