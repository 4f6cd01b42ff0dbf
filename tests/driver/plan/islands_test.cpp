// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Islands: what belongs together, and how islands are united to runs.
#include "driver/plan/islands.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "tests/driver/support/problems.hpp"

namespace ppu::driver {
namespace {

using Numbers = std::vector<std::uint32_t>;

constexpr RunCapacity kAmpleRun{1U << 20, 1U << 20};

/// Islands of `sizes` rows, each row on a body of the island, row after row of different islands.
RowGraph islands_of(const std::vector<std::uint32_t>& sizes) {
  RowGraph graph;
  graph.body_count = sizes.size();
  bool more = true;
  for (std::uint32_t row = 0; more; ++row) {
    more = false;
    for (std::size_t island = 0; island < sizes.size(); ++island) {
      if (row >= sizes[island]) continue;
      graph.body.push_back({static_cast<std::int32_t>(island), -1});
      more = true;
    }
  }
  graph.parent.assign(graph.rows(), -1);
  return graph;
}

std::vector<std::size_t> sizes(const std::vector<Island>& islands) {
  std::vector<std::size_t> result;
  for (const Island& island : islands) result.push_back(island.rows.size());
  return result;
}

TEST(Islands, AreConnectedOverDynamicBodies) {
  RowGraph graph;
  graph.body_count = 6;
  // The static world connects nothing; body 3 has no row.
  graph.body = {{0, -1}, {1, 2}, {4, -1}, {2, 5}, {0, 4}};
  graph.parent.assign(5, -1);
  const std::vector<Island> islands = find_islands(graph);
  ASSERT_EQ(islands.size(), 2U);
  EXPECT_EQ(islands[0].rows, (Numbers{0, 2, 4}));
  EXPECT_EQ(islands[0].bodies, (Numbers{0, 4}));
  EXPECT_EQ(islands[1].rows, (Numbers{1, 3}));
  EXPECT_EQ(islands[1].bodies, (Numbers{1, 2, 5}));
}

TEST(Islands, HoldTheParentsOfTheirRows) {
  RowGraph graph;
  graph.body_count = 2;
  graph.body = {{0, -1}, {1, -1}, {-1, -1}, {-1, -1}};
  graph.parent = {-1, 0, -1, 1};
  const std::vector<Island> islands = find_islands(graph);
  ASSERT_EQ(islands.size(), 2U);
  EXPECT_EQ(islands[0].rows, (Numbers{0, 1, 3}));
  EXPECT_EQ(islands[1].rows, (Numbers{2}));
  EXPECT_TRUE(islands[1].bodies.empty());
}

TEST(Islands, NoRowsMakeNone) {
  RowGraph graph;
  graph.body_count = 3;
  EXPECT_TRUE(find_islands(graph).empty());
  EXPECT_TRUE(find_islands(RowGraph{}).empty());
}

/// Each row in one group, with its bodies and its parent; groups share no body.
void expect_partition(const RowGraph& graph, const std::vector<Island>& groups) {
  std::set<std::uint32_t> rows, bodies;
  for (const Island& group : groups) {
    const std::set<std::uint32_t> own_rows(group.rows.begin(), group.rows.end());
    const std::set<std::uint32_t> own_bodies(group.bodies.begin(), group.bodies.end());
    EXPECT_TRUE(std::is_sorted(group.rows.begin(), group.rows.end()));
    EXPECT_TRUE(std::is_sorted(group.bodies.begin(), group.bodies.end()));
    std::set<std::uint32_t> named;
    for (const std::uint32_t row : group.rows) {
      EXPECT_TRUE(rows.insert(row).second);
      for (const std::int32_t body : graph.body[row])
        if (body >= 0) named.insert(static_cast<std::uint32_t>(body));
      if (graph.parent[row] >= 0) {
        EXPECT_EQ(own_rows.count(static_cast<std::uint32_t>(graph.parent[row])), 1U);
      }
    }
    EXPECT_EQ(named, own_bodies);
    for (const std::uint32_t body : group.bodies) EXPECT_TRUE(bodies.insert(body).second);
  }
  EXPECT_EQ(rows.size(), graph.rows());
}

TEST(Islands, PartitionRandomGraphsLargestFirst) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const RowGraph graph = test::random_graph(seed, seed, 1 + 4 * seed);
    const std::vector<Island> islands = find_islands(graph);
    expect_partition(graph, islands);
    for (std::size_t i = 1; i < islands.size(); ++i)
      EXPECT_GE(islands[i - 1].rows.size(), islands[i].rows.size());
    for (const std::uint32_t runs : {1U, 2U, 5U}) {
      const std::vector<Island> groups = group_islands(islands, runs, kAmpleRun);
      expect_partition(graph, groups);
      EXPECT_EQ(groups.size(), std::min<std::size_t>(runs, islands.size()));
    }
  }
}

TEST(IslandGroups, HaveAboutAsManyRowsEach) {
  const auto islands = find_islands(islands_of({3, 9, 1, 7, 5, 5}));
  EXPECT_EQ(sizes(islands), (std::vector<std::size_t>{9, 7, 5, 5, 3, 1}));
  // 9 | 7 | 7 5 | 9 5 | 7 5 3 | 9 5 1
  EXPECT_EQ(sizes(group_islands(islands, 2, kAmpleRun)), (std::vector<std::size_t>{15, 15}));
  EXPECT_EQ(sizes(group_islands(islands, 1, kAmpleRun)), (std::vector<std::size_t>{30}));
  EXPECT_EQ(sizes(group_islands(islands, 8, kAmpleRun)), sizes(islands));
}

TEST(IslandGroups, FitIntoARunUnlessAnIslandIsTooLargeByItself) {
  const auto islands = find_islands(islands_of({12, 4, 4, 3, 2}));
  EXPECT_EQ(sizes(group_islands(islands, 1, {8, 100})), (std::vector<std::size_t>{12, 8, 5}));
  // One body each.
  EXPECT_EQ(sizes(group_islands(islands, 1, {100, 2})), (std::vector<std::size_t>{16, 7, 2}));
}

TEST(IslandGroups, ASplitGraphNamesRowsAndBodiesByTheirPlaces) {
  RowGraph graph;
  graph.body_count = 5;
  graph.body = {{4, -1}, {1, 3}, {2, 4}, {3, -1}};
  graph.parent = {-1, -1, 0, 1};
  const std::vector<RowGraph> graphs = split(graph, find_islands(graph));
  ASSERT_EQ(graphs.size(), 2U);
  EXPECT_EQ(graphs[0].body, (std::vector<Bodies>{{1, -1}, {0, 1}}));
  EXPECT_EQ(graphs[0].parent, (std::vector<std::int32_t>{-1, 0}));
  EXPECT_EQ(graphs[0].body_count, 2U);
  EXPECT_EQ(graphs[1].body, (std::vector<Bodies>{{0, 1}, {1, -1}}));
  EXPECT_EQ(graphs[1].parent, (std::vector<std::int32_t>{-1, 0}));
}

}  // namespace
}  // namespace ppu::driver
