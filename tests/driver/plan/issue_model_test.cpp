// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The issue model gives the cycles of the rules in docs/inside/device.md: worked by hand, as one
// pipe's formula, and as the timed engine has them.
#include "driver/plan/issue_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "driver/plan/scheduler.hpp"
#include "hw/program/issue_stage.hpp"
#include "tests/driver/support/orders.hpp"

namespace ppu::driver {
namespace {

using Cycles = std::vector<Cycle>;

/// So many that no two bodies share one.
constexpr std::uint32_t kManyBanks = 1U << 20;

/// Rows on the given bodies without parents, in their order.
SteadyState simulate_rows(std::vector<Bodies> rows, const Machine& machine) {
  RowGraph graph;
  graph.body = std::move(rows);
  graph.parent.assign(graph.rows(), -1);
  for (const Bodies& body : graph.body)
    graph.body_count =
        std::max(graph.body_count, static_cast<std::size_t>(std::max(body[0], body[1]) + 1));
  return simulate(graph, test::identity(graph), machine);
}

TEST(IssueModel, RowsOnOneBodyIssueALatencyApart) {
  const SteadyState state = simulate_rows({{0, -1}, {0, -1}, {0, -1}}, {1, 1, 10, 8});
  EXPECT_EQ(state.issue, (Cycles{0, 10, 20}));
  EXPECT_EQ(state.period, 30);
}

TEST(IssueModel, ChildWaitsForItsParentAndRowsForThemselves) {
  RowGraph graph;
  graph.body.assign(2, {-1, -1});
  graph.parent = {-1, 0};
  const SteadyState state = simulate(graph, test::identity(graph), {1, 1, 10, 8});
  EXPECT_EQ(state.issue, (Cycles{0, 10}));
  EXPECT_EQ(state.period, 11);
}

TEST(IssueModel, ManyPipesTakeARowEachPerCycle) {
  const SteadyState state =
      simulate_rows({{0, -1}, {1, -1}, {2, -1}, {3, -1}, {4, -1}}, {2, 1, 2, 8});
  EXPECT_EQ(state.issue, (Cycles{0, 0, 1, 1, 2}));
  EXPECT_EQ(state.period, 3);
}

TEST(IssueModel, APipeTakesARowEveryIntervalCycles) {
  const SteadyState three = simulate_rows({{0, -1}, {1, -1}, {2, -1}}, {2, 3, 4, 8});
  EXPECT_EQ(three.issue, (Cycles{0, 0, 3}));
  EXPECT_EQ(three.period, 6);
  // The next sweep begins at pipe 0, whichever pipe is free.
  const SteadyState five =
      simulate_rows({{0, -1}, {1, -1}, {2, -1}, {3, -1}, {4, -1}}, {2, 3, 4, 8});
  EXPECT_EQ(five.issue, (Cycles{0, 0, 3, 3, 6}));
  EXPECT_EQ(five.period, 9);
}

TEST(IssueModel, RowsIssueInOrder) {
  const SteadyState state = simulate_rows({{0, -1}, {0, -1}, {1, -1}}, {4, 1, 10, 8});
  EXPECT_EQ(state.issue, (Cycles{0, 10, 10}));
}

TEST(IssueModel, RowsOfTwoSweepsDoNotShareACycle) {
  RowGraph graph;
  graph.body_count = 2;
  graph.body = {{0, -1}, {1, -1}};
  graph.parent = {-1, 0};
  // Row 0 and pipe 0 are free again when row 1 issues.
  const SteadyState state = simulate(graph, test::identity(graph), {2, 1, 1, 8});
  EXPECT_EQ(state.issue, (Cycles{0, 1}));
  EXPECT_EQ(state.period, 2);
}

TEST(IssueModel, ABankTakesOneRowPerCycle) {
  const SteadyState state = simulate_rows({{0, -1}, {8, 1}, {9, -1}, {2, -1}}, {4, 1, 2, 8});
  EXPECT_EQ(state.issue, (Cycles{0, 1, 2, 2}));
}

TEST(IssueModel, AnImpulseBankGivesOneParentPerCycle) {
  RowGraph graph;
  graph.body_count = 6;
  for (std::int32_t body = 0; body < 6; ++body) graph.body.push_back({body, -1});
  // The parents in slots 0 and 2 are both in bank 0.
  graph.parent = {-1, -1, -1, 0, 2, 1};
  const SteadyState state = simulate(graph, test::identity(graph), {2, 1, 4, 8});
  EXPECT_EQ(state.issue, (Cycles{0, 0, 1, 4, 5, 5}));
}

TEST(IssueModel, ARowWithBothBodiesInOneBankReadsOneInACycleOfItsOwn) {
  // Row 1 waits for a cycle without issue; row 2 is in the other bank and comes with it.
  const SteadyState state =
      simulate_rows({{1, -1}, {0, 2}, {3, -1}, {5, -1}, {4, -1}}, {4, 1, 2, 2});
  // Bank 0 may not be used in cycle 3, because body 2 is written a cycle later than body 0.
  EXPECT_EQ(state.issue, (Cycles{0, 2, 2, 3, 4}));
}

TEST(IssueModel, TheSecondBodyOfOneBankIsWrittenACycleLater) {
  const SteadyState first = simulate_rows({{0, 2}, {0, -1}}, {1, 1, 4, 2});
  EXPECT_EQ(first.issue, (Cycles{0, 4}));
  const SteadyState second = simulate_rows({{0, 2}, {2, -1}}, {1, 1, 4, 2});
  EXPECT_EQ(second.issue, (Cycles{0, 5}));
  // Body 2 is ready in cycle 5; then a cycle of reading.
  EXPECT_EQ(simulate_rows({{0, 2}}, {1, 1, 4, 2}).period, 6);
}

TEST(IssueModel, SimulatesNothing) {
  const SteadyState state = simulate({}, {}, {4, 1, 32, 8});
  EXPECT_EQ(state.period, 0);
  EXPECT_TRUE(state.issue.empty());
}

/// One pipe without bank conflicts: a row per cycle, and a latency after the rows it waits for.
Cycles issue_on_one_pipe(const RowGraph& graph, const RowOrder& order, Cycle latency, int sweeps) {
  Cycles body(graph.body_count, 0), row_ready(graph.rows(), 0), issue;
  Cycle next = 0;
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (const std::uint32_t row : order) {
      Cycle cycle = std::max(next, row_ready[row]);
      for (const std::int32_t name : graph.body[row])
        if (name >= 0) cycle = std::max(cycle, body[static_cast<std::size_t>(name)]);
      if (graph.parent[row] >= 0)
        cycle = std::max(cycle, row_ready[static_cast<std::size_t>(graph.parent[row])]);
      row_ready[row] = cycle + latency;
      for (const std::int32_t name : graph.body[row])
        if (name >= 0) body[static_cast<std::size_t>(name)] = cycle + latency;
      issue.push_back(cycle);
      next = cycle + 1;
    }
  return issue;
}

TEST(IssueModel, EqualsTheFormulaOfOnePipeWithoutBankConflicts) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    const RowGraph graph = test::random_graph(seed, 1 + seed * 7, 1 + seed);
    const RowOrder order = test::identity(graph);
    const SteadyState state = simulate(graph, order, {1, 1, 1 + seed, kManyBanks});
    const Cycles issue = issue_on_one_pipe(graph, order, 1 + seed, 4);
    const std::size_t third = 2 * graph.rows(), fourth = 3 * graph.rows();
    EXPECT_EQ(state.period, issue[fourth] - issue[third]);
    for (std::size_t row = 0; row < graph.rows(); ++row)
      ASSERT_EQ(state.issue[row], issue[third + row] - issue[third]) << "row " << row;
  }
}

/// Issue of each slot in four sweeps on the timed engine.
Cycles issue_on_engine(const RowGraph& graph, const RowOrder& order, const hw::Config& config) {
  std::vector<ppu_row> rows(order.size());
  std::vector<std::uint32_t> slot_of(order.size());
  const auto name = [](std::int32_t body) {
    return body < 0 ? PPU_NONE : static_cast<std::uint32_t>(body);
  };
  for (std::uint32_t slot = 0; slot < order.size(); ++slot) {
    const std::uint32_t row = order[slot];
    slot_of[row] = slot;
    rows[slot].body_a = name(graph.body[row][0]);
    rows[slot].body_b = name(graph.body[row][1]);
    rows[slot].parent =
        graph.parent[row] < 0 ? PPU_NONE : slot_of[static_cast<std::size_t>(graph.parent[row])];
  }
  hw::LoadedKernel kernel;
  kernel.control.bits = (1U << spec::kControlBits) - 1;
  EXPECT_TRUE(kernel.reads_parent() && kernel.stores_velocity() && kernel.stores_impulse());

  hw::Counters counters{};
  std::vector<hw::RowProfile> profile(rows.size());
  hw::IssueStage stage(config, static_cast<std::uint32_t>(rows.size()),
                       static_cast<std::uint32_t>(graph.body_count), counters, profile);
  Cycles issue;
  for (int sweep = 0; sweep < 4; ++sweep) {
    stage.begin_pass(PPU_COUNTER_FETCH_STALL_CYCLES);
    for (std::uint32_t slot = 0; slot < rows.size(); ++slot)
      issue.push_back(static_cast<Cycle>(stage.issue(kernel, rows[slot], slot, 0)->cycle));
  }
  return issue;
}

TEST(IssueModel, GivesTheCyclesOfTheTimedEngine) {
  std::mt19937 random(5);
  for (const char* pipes : {"pipes=1", "pipes=2", "pipes=4", "pipes=16"})
    for (const char* banks : {"velocity_banks=2", "velocity_banks=8", "velocity_banks=64"})
      for (const char* lanes : {"lanes=12", "lanes=4"}) {
        const hw::Config config =
            hw::resolve_config("default", {pipes, banks, lanes, "fp_add_stages=1"});
        const Machine machine{
            config.pipes, static_cast<std::uint32_t>(hw::initiation_interval(config)),
            static_cast<std::uint32_t>(hw::body_latency(config)), config.velocity_banks};
        const auto seed = static_cast<std::uint32_t>(random());
        const RowGraph graph = test::random_graph(seed, 200, 10 + seed % 300);
        // An order that was made for something else.
        const RowOrder order = schedule(graph, {2, 1, 3, 16});
        const SteadyState state = simulate(graph, order, machine);
        const Cycles issue = issue_on_engine(graph, order, config);
        EXPECT_EQ(state.period, issue[600] - issue[400]);
        for (std::size_t slot = 0; slot < order.size(); ++slot)
          ASSERT_EQ(state.issue[order[slot]], issue[400 + slot] - issue[400])
              << pipes << ", " << banks << ", " << lanes << ", slot " << slot;
      }
}

}  // namespace
}  // namespace ppu::driver
