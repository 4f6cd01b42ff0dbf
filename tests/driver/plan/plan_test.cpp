// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Plans: every row in one run with its bodies, orders that keep the results, and the cache.
#include "driver/plan/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "driver/base/failure.hpp"
#include "driver/plan/row_order.hpp"
#include "tests/driver/support/orders.hpp"

namespace ppu::driver {
namespace {

PlanTarget target(std::uint32_t runs) {
  return {PPU_ORDER_SCHEDULED, {4, 1, 32, 8}, runs, {1U << 20, 1U << 20}};
}

/// All rows, run after run.
RowOrder all_rows(const Plan& plan) {
  RowOrder rows;
  for (const RunPlan& run : plan.runs) rows.insert(rows.end(), run.order.begin(), run.order.end());
  return rows;
}

TEST(Plan, PutsEveryRowAndItsBodiesIntoOneRun) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const RowGraph graph = test::random_graph(seed, 3 * seed, 1 + 2 * seed);
    const Plan plan = make_plan(graph, target(1 + seed % 4));
    test::expect_permutation(all_rows(plan), graph);
    // No row shares anything with rows of other runs, so runs may come one after the other.
    test::expect_dependencies_kept(graph, all_rows(plan));
    std::vector<bool> named(graph.body_count, false);
    for (const RunPlan& run : plan.runs)
      for (std::uint32_t slot = 0; slot < run.order.size(); ++slot) {
        const std::uint32_t row = run.order[slot];
        EXPECT_EQ(plan.slot[row], slot);
        for (const std::int32_t name : graph.body[row]) {
          if (name < 0) continue;
          const auto body = static_cast<std::uint32_t>(name);
          named[body] = true;
          EXPECT_EQ(run.bodies.at(plan.device_body[body]), body);
        }
      }
    for (std::size_t body = 0; body < graph.body_count; ++body)
      EXPECT_EQ(plan.device_body[body] != kNoBody, named[body]);
  }
}

TEST(Plan, HasOneEmptyRunForAProblemWithoutRows) {
  RowGraph graph;
  graph.body_count = 2;
  const Plan plan = make_plan(graph, target(4));
  ASSERT_EQ(plan.runs.size(), 1U);
  EXPECT_TRUE(plan.runs[0].order.empty());
  EXPECT_TRUE(plan.runs[0].bodies.empty());
  EXPECT_EQ(plan.device_body, (std::vector<std::uint32_t>{kNoBody, kNoBody}));
}

TEST(Plan, KeepsTheEnginesOrderIfAsked) {
  const RowGraph graph = test::random_graph(4, 300, 200);
  PlanTarget engine = target(3);
  engine.order = PPU_ORDER_ENGINE;
  const Plan plan = make_plan(graph, engine);
  EXPECT_GT(plan.runs.size(), 1U);
  for (const RunPlan& run : plan.runs)
    EXPECT_TRUE(std::is_sorted(run.order.begin(), run.order.end()));
}

TEST(Plan, LeavesRunsToTheDeviceThatItSchedulesItself) {
  const RowGraph graph = test::random_graph(4, 300, 200);
  const Plan whole = make_plan(graph, target(3));
  PlanTarget flows = target(3);
  flows.flow_rows = static_cast<std::uint32_t>(whole.runs.back().order.size());
  const Plan plan = make_plan(graph, flows);
  ASSERT_EQ(plan.runs.size(), whole.runs.size());
  for (const RunPlan& run : plan.runs)
    EXPECT_EQ(std::is_sorted(run.order.begin(), run.order.end()),
              run.order.size() <= flows.flow_rows)
        << run.order.size();
}

TEST(Plan, IsDeterministic) {
  const RowGraph graph = test::random_graph(8, 3000, 500);
  const Plan first = make_plan(graph, target(2));
  const Plan second = make_plan(graph, target(2));
  EXPECT_EQ(all_rows(first), all_rows(second));
  EXPECT_EQ(first.device_body, second.device_body);
}

TEST(Plan, RefusesAnUnknownOrder) {
  PlanTarget unknown = target(1);
  unknown.order = static_cast<ppu_order>(3);
  EXPECT_THROW(make_plan(test::random_graph(1, 5, 5), unknown), Failure);
}

TEST(PlanCache, PlansAgainOnlyWhenSomethingChanged) {
  PlanCache cache;
  RowGraph graph = test::random_graph(9, 200, 20);
  PlanTarget wanted = target(1);
  const RowOrder first = all_rows(cache.get(graph, wanted));
  EXPECT_EQ(all_rows(cache.get(graph, wanted)), first);
  EXPECT_EQ(cache.misses(), 1U);
  wanted.machine.latency = 16;
  cache.get(graph, wanted);
  EXPECT_EQ(cache.misses(), 2U);
  wanted.order = PPU_ORDER_COLOUR;
  cache.get(graph, wanted);
  EXPECT_EQ(cache.misses(), 3U);
  wanted.runs = 2;
  cache.get(graph, wanted);
  EXPECT_EQ(cache.misses(), 4U);
  wanted.capacity.rows = 150;
  cache.get(graph, wanted);
  EXPECT_EQ(cache.misses(), 5U);
  wanted.flow_rows = 150;
  cache.get(graph, wanted);
  EXPECT_EQ(cache.misses(), 6U);
  graph.body.back() = {-1, -1};
  EXPECT_EQ(all_rows(cache.get(graph, wanted)), all_rows(make_plan(graph, wanted)));
  EXPECT_EQ(cache.misses(), 7U);
}

TEST(PlanCache, KeepsThePlansOfAsManyProblemsInTurn) {
  PlanCache cache;
  const auto plan_all = [&cache](std::size_t problems) {
    for (std::size_t i = 0; i < problems; ++i) {
      const RowGraph graph = test::random_graph(static_cast<std::uint32_t>(i), 50, 10);
      EXPECT_EQ(all_rows(cache.get(graph, target(1))), all_rows(make_plan(graph, target(1))));
    }
  };
  plan_all(PlanCache::kPlans);
  plan_all(PlanCache::kPlans);
  EXPECT_EQ(cache.misses(), PlanCache::kPlans);
  // With one more the plan that is wanted next has always just been dropped.
  plan_all(PlanCache::kPlans + 1);
  plan_all(PlanCache::kPlans + 1);
  EXPECT_EQ(cache.misses(), 2 * PlanCache::kPlans + 2);
}

TEST(PlanCache, DoesNotTakeAnEmptyGraphForOneSeenBefore) {
  PlanCache cache;
  EXPECT_EQ(cache.get(RowGraph{}, PlanTarget{}).runs.size(), 1U);
  EXPECT_EQ(cache.misses(), 1U);
}

}  // namespace
}  // namespace ppu::driver
