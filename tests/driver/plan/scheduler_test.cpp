// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The scheduler keeps every order that a result can depend on, and keeps the row pipes busy.
#include "driver/plan/scheduler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "driver/plan/issue_model.hpp"
#include "driver/plan/rank_set.hpp"
#include "tests/driver/support/orders.hpp"

namespace ppu::driver {
namespace {

/// So many that no two bodies share one.
constexpr std::uint32_t kEnoughBanks = 1U << 20;

constexpr Machine kOnePipe{1, 1, 32, kEnoughBanks};

Cycle period(const RowGraph& graph, const RowOrder& order, const Machine& machine) {
  return simulate(graph, order, machine).period;
}

/// Rows of the longest chain in which each row waits for the one before.
Cycle longest_chain(const RowGraph& graph) {
  std::vector<Cycle> row_depth(graph.rows(), 0);
  std::vector<Cycle> body_depth(graph.body_count, 0);
  Cycle longest = 0;
  for (std::size_t row = 0; row < graph.rows(); ++row) {
    Cycle depth = 0;
    for (const std::int32_t body : graph.body[row])
      if (body >= 0) depth = std::max(depth, body_depth[static_cast<std::size_t>(body)]);
    if (graph.parent[row] >= 0)
      depth = std::max(depth, row_depth[static_cast<std::size_t>(graph.parent[row])]);
    row_depth[row] = ++depth;
    for (const std::int32_t body : graph.body[row])
      if (body >= 0) body_depth[static_cast<std::size_t>(body)] = depth;
    longest = std::max(longest, depth);
  }
  return longest;
}

TEST(Scheduler, KeepsBodyAndParentOrderOnRandomGraphs) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const RowGraph graph = test::random_graph(seed, seed * 3 % 400, 1 + seed % 37);
    for (const Machine& machine : {Machine{1, 1, 1, 2}, Machine{1, 12, 54, 8}, Machine{2, 1, 7, 4},
                                   Machine{4, 3, 36, 16}, Machine{16, 1, 32, 64}}) {
      const RowOrder order = schedule(graph, machine);
      test::expect_permutation(order, graph);
      test::expect_dependencies_kept(graph, order);
    }
  }
}

TEST(Scheduler, IsDeterministic) {
  const RowGraph graph = test::random_graph(3, 2000, 150);
  EXPECT_EQ(schedule(graph, kOnePipe), schedule(graph, kOnePipe));
  EXPECT_EQ(schedule(graph, {4, 1, 32, 16}), schedule(graph, {4, 1, 32, 16}));
}

TEST(Scheduler, OrdersNothing) {
  EXPECT_TRUE(schedule(RowGraph{}, kOnePipe).empty());
}

TEST(Scheduler, OrdersRowsWithoutDynamicBodies) {
  RowGraph graph;
  graph.body.assign(10, {-1, -1});
  graph.parent.assign(10, -1);
  EXPECT_EQ(period(graph, schedule(graph, {4, 1, 2, 8}), {4, 1, 2, 8}), 3);
}

TEST(Scheduler, FillsThePipesWhereRowsAreIndependent) {
  RowGraph graph;
  graph.body_count = 256;
  // Body after body, eight rows each: in this order every row waits for the one before.
  for (std::int32_t row = 0; row < 2048; ++row) graph.body.push_back({row / 8, -1});
  graph.parent.assign(2048, -1);
  EXPECT_GT(period(graph, test::identity(graph), kOnePipe), 20 * 2048);
  EXPECT_EQ(period(graph, schedule(graph, kOnePipe), kOnePipe), 2048);
  EXPECT_EQ(period(graph, schedule(graph, {4, 1, 32, 16}), {4, 1, 32, 16}), 512);
  // A pipe that takes a row every third cycle.
  EXPECT_EQ(period(graph, schedule(graph, {2, 3, 36, 16}), {2, 3, 36, 16}), 3072);
}

TEST(Scheduler, LooksPastRowsThatShareABank) {
  RowGraph graph;
  graph.body_count = 64;
  // The first half of the rows is in bank 0, the second half in bank 1.
  for (std::int32_t row = 0; row < 64; ++row) graph.body.push_back({row % 32 * 2 + row / 32, -1});
  graph.parent.assign(64, -1);
  const Machine machine{2, 1, 4, 2};
  EXPECT_EQ(period(graph, test::identity(graph), machine), 63);
  EXPECT_EQ(period(graph, schedule(graph, machine), machine), 32);
}

TEST(Scheduler, SpreadsParentsOverTheImpulseBanks) {
  // Normal rows first, then two friction rows for each: without care the parents of the friction
  // rows that are left at the end lie in one bank.
  RowGraph graph;
  graph.body_count = 300;
  for (std::int32_t row = 0; row < 900; ++row) {
    graph.body.push_back({row % 300, -1});
    graph.parent.push_back(row < 300 ? -1 : row % 300);
  }
  const Machine machine{4, 1, 32, 64};
  EXPECT_LE(period(graph, schedule(graph, machine), machine), 228);
}

TEST(Scheduler, KeepsThePipesBusyOnALargeScene) {
  const RowGraph graph = test::random_graph(1, 15000, 900);
  EXPECT_LE(period(graph, schedule(graph, kOnePipe), kOnePipe), 15000 * 100 / 95);
  const Machine four{4, 1, 16, kEnoughBanks};
  EXPECT_LE(period(graph, schedule(graph, four), four), 15000 / 4 * 100 / 95);
}

TEST(Scheduler, SmallWallReachesItsCriticalPath) {
  // 100 rows long, so no order that keeps the bits is faster than 99 x 32 + 1 cycles a sweep.
  const RowGraph graph = test::graph_of_file("wall10_f012.h5");
  EXPECT_EQ(longest_chain(graph), 100);
  EXPECT_EQ(period(graph, schedule(graph, kOnePipe), kOnePipe), 99 * 32 + 1);
}

TEST(Scheduler, ComesCloseToTheBoundOfChainsAndPipes) {
  for (const char* file : {"ragdoll_f140.h5", "wall10_f040.h5", "topple_f060.h5"}) {
    const RowGraph graph = test::graph_of_file(file);
    for (const std::uint32_t pipes : {1U, 2U, 4U, 16U}) {
      const Machine machine{pipes, 1, 32, kEnoughBanks};
      const RowOrder order = schedule(graph, machine);
      test::expect_dependencies_kept(graph, order);
      const Cycle bound = std::max<Cycle>((longest_chain(graph) - 1) * 32 + 1,
                                          static_cast<Cycle>(graph.rows()) / pipes);
      EXPECT_LE(period(graph, order, machine), bound * 102 / 100) << file << ", " << pipes;
      EXPECT_LT(6 * period(graph, order, machine), period(graph, test::identity(graph), machine))
          << file << ", " << pipes;
    }
  }
}

TEST(RankSet, WalksInAscendingOrder) {
  for (const std::uint32_t size : {1U, 64U, 65U, 5000U, 300000U}) {
    RankSet set(size);
    EXPECT_EQ(set.next(0), RankSet::kEnd);
    for (std::uint32_t rank = 0; rank < size; rank += 63) set.insert(rank);
    for (std::uint32_t rank = 0; rank < size; rank += 126) set.erase(rank);
    std::uint32_t next = set.next(0);
    for (std::uint32_t rank = 63; rank < size; rank += 126) {
      ASSERT_EQ(next, rank) << size;
      next = set.next(next + 1);
    }
    EXPECT_EQ(next, RankSet::kEnd) << size;
  }
}

}  // namespace
}  // namespace ppu::driver
