// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The scheduler keeps every order that a result can depend on, and keeps the row pipe busy.
#include "scheduler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "issue_model.hpp"
#include "problem.hpp"
#include "problems.hpp"

namespace ppu::driver {
namespace {

std::vector<std::uint32_t> slots_of(const RowOrder& order) {
  std::vector<std::uint32_t> slots(order.size());
  for (std::uint32_t slot = 0; slot < order.size(); ++slot) slots[order[slot]] = slot;
  return slots;
}

void expect_permutation(const RowOrder& order, std::size_t rows) {
  RowOrder sorted = order;
  std::sort(sorted.begin(), sorted.end());
  RowOrder identity(rows);
  std::iota(identity.begin(), identity.end(), 0U);
  EXPECT_EQ(sorted, identity);
}

/// Every row after the previous row of each of its dynamic bodies, and after its parent.
void expect_dependencies_kept(const RowGraph& graph, const RowOrder& order) {
  const std::vector<std::uint32_t> slots = slots_of(order);
  std::vector<std::int64_t> last_slot(graph.body_count, -1);
  for (std::size_t row = 0; row < graph.rows(); ++row) {
    for (const std::int32_t body : graph.body[row]) {
      if (body < 0) continue;
      std::int64_t& last = last_slot[static_cast<std::size_t>(body)];
      ASSERT_LT(last, slots[row]) << "row " << row << ", body " << body;
      last = slots[row];
    }
    if (const std::int32_t parent = graph.parent[row]; parent >= 0) {
      ASSERT_LT(slots[static_cast<std::size_t>(parent)], slots[row]) << "row " << row;
    }
  }
}

double rows_per_cycle(const RowGraph& graph, const RowOrder& order, std::int64_t latency) {
  return static_cast<double>(graph.rows()) /
         static_cast<double>(simulate(graph, order, latency).period);
}

RowOrder identity(const RowGraph& graph) {
  RowOrder order(graph.rows());
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

RowGraph graph_of_file(const char* file) {
  return graph_of(test::view(test::read_test_data(file)));
}

TEST(Scheduler, KeepsBodyAndParentOrderOnRandomGraphs) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const RowGraph graph = test::random_graph(seed, seed * 3 % 400, 1 + seed % 37);
    for (const std::uint32_t latency : {1U, 7U, 32U}) {
      const RowOrder order = schedule(graph, latency);
      expect_permutation(order, graph.rows());
      expect_dependencies_kept(graph, order);
    }
  }
}

TEST(Scheduler, IsDeterministic) {
  const RowGraph graph = test::random_graph(3, 2000, 150);
  EXPECT_EQ(schedule(graph, 32), schedule(graph, 32));
}

TEST(Scheduler, OrdersNothing) {
  EXPECT_TRUE(schedule(RowGraph{}, 32).empty());
}

TEST(Scheduler, FillsThePipeWhereRowsAreIndependent) {
  RowGraph graph;
  graph.body_count = 64;
  // Body after body, eight rows each: in this order every row waits for the one before.
  for (std::int32_t row = 0; row < 512; ++row) graph.body.push_back({row / 8, -1});
  graph.parent.assign(512, -1);
  EXPECT_LT(rows_per_cycle(graph, identity(graph), 32), 0.05);
  EXPECT_EQ(rows_per_cycle(graph, schedule(graph, 32), 32), 1.0);
}

TEST(Scheduler, KeepsThePipeBusyOnALargeScene) {
  const RowGraph graph = test::random_graph(1, 15000, 900);
  EXPECT_GE(rows_per_cycle(graph, schedule(graph, 32), 32), 0.95);
}

TEST(Scheduler, SmallWallReachesItsCriticalPath) {
  // 100 rows long, so no order that keeps the bits is faster than 99 x 32 + 1 cycles a sweep.
  const RowGraph graph = graph_of_file("wall10_f012.h5");
  EXPECT_EQ(simulate(graph, schedule(graph, 32), 32).period, 99 * 32 + 1);
}

TEST(Scheduler, IsManyTimesFasterThanTheEnginesOrder) {
  for (const char* file : {"ragdoll_f140.h5", "wall10_f040.h5", "topple_f060.h5"}) {
    const RowGraph graph = graph_of_file(file);
    const RowOrder order = schedule(graph, 32);
    expect_dependencies_kept(graph, order);
    EXPECT_GT(rows_per_cycle(graph, order, 32), 6 * rows_per_cycle(graph, identity(graph), 32))
        << file;
  }
}

TEST(IssueModel, RowsOnOneBodyIssueALatencyApart) {
  RowGraph graph;
  graph.body_count = 1;
  graph.body.assign(3, {0, -1});
  graph.parent.assign(3, -1);
  const SteadyState state = simulate(graph, identity(graph), 10);
  EXPECT_EQ(state.issue, (std::vector<std::int64_t>{0, 10, 20}));
  EXPECT_EQ(state.period, 30);
}

TEST(IssueModel, ChildWaitsForItsParentAndRowsForThemselves) {
  RowGraph graph;
  graph.body.assign(2, {-1, -1});
  graph.parent = {-1, 0};
  const SteadyState state = simulate(graph, identity(graph), 10);
  EXPECT_EQ(state.issue, (std::vector<std::int64_t>{0, 10}));
  EXPECT_EQ(state.period, 11);
}

}  // namespace
}  // namespace ppu::driver
