// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Friction bounds that follow the contacts, around both solvers of boxed problems.
#include "model/methods/coupled_friction.hpp"

#include <gtest/gtest.h>

#include "model/methods/interior_point.hpp"
#include "model/methods/subspace.hpp"
#include "tests/model/methods/methods_problems.hpp"

namespace ppu::model::methods {
namespace {

std::vector<double> by_interior_point(const RowProblem& frozen, const std::vector<double>&) {
  return solve_interior_point(scaled_rows(frozen), {}).impulse;
}

std::vector<double> by_subspace(const RowProblem& frozen, const std::vector<double>& start) {
  const ScaledRows rows = scaled_rows(frozen);
  HostSweeps sweeps(rows);
  return solve_subspace(rows, sweeps, {}, start).impulse;
}

/// A box of 2 kg that falls with 1 m/s and slides with `speed`: normal impulse 2 N s.
RowProblem sliding_box(float speed) {
  RowProblem p = testing::empty_problem({0.5F});
  testing::add_row(p, {0, -1, testing::along_y(), -1.0F});
  testing::add_row(p, {0, -1, testing::along_x(), speed, 0, 0, 0, 0.25F, RowKind::kFriction});
  return p;
}

TEST(CoupledFriction, OfAFastBoxIsMuTimesItsNormalImpulse) {
  for (const SolveFrozen& solve : {SolveFrozen(by_interior_point), SolveFrozen(by_subspace)}) {
    const auto solution = solve_coupled(sliding_box(4), solve, {});
    EXPECT_TRUE(solution.reached);
    EXPECT_LT(testing::largest_difference(solution.impulse, {2, -0.5}), 1e-5);
  }
}

TEST(CoupledFriction, OfASlowBoxStopsIt) {
  const auto solution = solve_coupled(sliding_box(0.125F), by_subspace, {});
  EXPECT_TRUE(solution.reached);
  EXPECT_LT(testing::largest_difference(solution.impulse, {2, -0.25}), 1e-6);
}

TEST(CoupledFriction, OfAShippedProblemSolvesTheCoupledConditions) {
  const RowProblem problem = testing::shipped("ball_f110");
  CoupledOptions options;
  options.tolerance = 1e-9;
  const auto solution = solve_coupled(problem, by_subspace, options);
  EXPECT_TRUE(solution.reached);
  const std::vector<float> x(solution.impulse.begin(), solution.impulse.end());
  const RowProblem frozen = freeze_friction(problem, x);
  const ScaledRows rows = scaled_rows(frozen);
  EXPECT_LT(residual(rows, solution.impulse, rows.rates(solution.impulse)).natural, 1e-6);
}

TEST(CoupledFriction, SaysWhenItHasNotStoodStill) {
  CoupledOptions options;
  options.max_rounds = 1;
  EXPECT_FALSE(solve_coupled(sliding_box(4), by_subspace, options).reached);
}

TEST(CoupledFriction, RefusesSolutionsAndStartsOfAnotherSize) {
  const RowProblem box = sliding_box(4);
  EXPECT_THROW(solve_coupled(box, by_subspace, {}, {1}), std::invalid_argument);
  const auto short_answer = [](const RowProblem&, const std::vector<double>&) {
    return std::vector<double>(1);
  };
  EXPECT_THROW(solve_coupled(box, short_answer, {}), std::invalid_argument);
}

}  // namespace
}  // namespace ppu::model::methods
