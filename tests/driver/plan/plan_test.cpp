// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Plans: every row in one run with its bodies, orders that keep the results.
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
  return {PPU_ORDER_ENGINE, runs, {1U << 20, 1U << 20}};
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
    const PlanTarget wanted = target(1 + seed % 4);
    const Plan plan = make_plan(graph, wanted);
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
    const bool as_given = is_as_given(wanted, graph.rows(), graph.body_count);
    for (std::size_t body = 0; body < graph.body_count; ++body)
      EXPECT_EQ(plan.device_body[body] != kNoBody, named[body] || as_given);
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
  const Plan plan = make_plan(graph, target(3));
  EXPECT_GT(plan.runs.size(), 1U);
  for (const RunPlan& run : plan.runs)
    EXPECT_TRUE(std::is_sorted(run.order.begin(), run.order.end()));
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

}  // namespace
}  // namespace ppu::driver
