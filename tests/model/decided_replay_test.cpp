// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Programs that decide by residuals and tags, on the shipped problems: the float32 replay beside
// double precision, where they stop, and what is then true. Also Example 7.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/reference/comparison.hpp"
#include "model/reference/replay.hpp"
#include "model/reference/residual.hpp"
#include "tests/model/problems.hpp"

namespace ppu::model {
namespace {

using testing::kShipped;
using testing::shipped;

SolveOptions clamped(int sweeps, Start start = Start::kWarm) {
  return {sweeps, start, FrictionRule::kClamp, Projection::kMed, {}};
}

double residual_of(const RowProblem& problem, const Solution& state) {
  return true_residual(problem, state.impulse, state.velocity_change);
}

class OnShipped : public ::testing::TestWithParam<const char*> {
 protected:
  RowProblem problem_ = shipped(GetParam());
};

TEST_P(OnShipped, ReducedFormAgreesWithTheFullOne) {
  for (const Start start : {Start::kCold, Start::kWarm}) {
    const SolveOptions options = clamped(10, start);
    const State full = solve_rows(problem_, options);
    const State reduced = solve_reduced(problem_, options);
    // As far as the file's rounded M^-1 J^T is M^-1 J^T.
    const std::vector<float> impulse(reduced.impulse.begin(), reduced.impulse.end());
    EXPECT_LE(relative_error(impulse, full.impulse), float_error_bound(problem_, full, 10));
  }
}

TEST_P(OnShipped, FilteredSweepsAreTheSameInDoublePrecision) {
  for (const bool verified : {true, false}) {
    const DecidedReplay run = replay_filter(problem_, clamped(20), {1e-2F, 1e-2F, verified});
    ASSERT_FALSE(run.fault_row);
    ASSERT_EQ(run.visits.size(), static_cast<std::size_t>(run.sweeps));
    const State exact = solve_visits(problem_, clamped(20), run.visits);
    EXPECT_LE(relative_error(run.impulse, exact.impulse),
              float_error_bound(problem_, exact, run.sweeps));
  }
}

TEST_P(OnShipped, FirstSweepOfAFilterVisitsEveryRowAndLaterOnesNoMoreThanThat) {
  const DecidedReplay run = replay_filter(problem_, clamped(20), {1e-2F, 1e-2F, true});
  std::size_t visited = 0;
  for (const auto& rows : run.visits) {
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
    visited += rows.size();
  }
  ASSERT_FALSE(run.visits.empty());
  EXPECT_EQ(run.visits.front().size(), problem_.rows());
  EXPECT_LT(visited, run.visits.size() * problem_.rows());
}

TEST_P(OnShipped, ThresholdStopsInTheSweepInWhichDoublePrecisionDoes) {
  const State after = solve_rows(problem_, clamped(30));
  const double reachable = 1.01 * true_residual(problem_, after.impulse, after.velocity);
  const DecidedReplay run = replay_threshold(problem_, clamped(500), static_cast<float>(reachable));
  const ThresholdSolve exact = solve_to_threshold(problem_, clamped(500), reachable);
  EXPECT_EQ(run.sweeps, exact.sweeps);
  ASSERT_TRUE(exact.reached);
  EXPECT_LE(residual_of(problem_, run), reachable * (1 + 1e-3));
  EXPECT_LE(true_residual(problem_, exact.state.impulse, exact.state.velocity), reachable);
}

TEST_P(OnShipped, QuotientsStopWhereBulletDoes) {
  const DecidedReplay whole = replay_impulse_threshold(problem_, clamped(20), 0);
  const float reached = 1.001F * whole.last_residual;
  const DecidedReplay device = replay_impulse_threshold(problem_, clamped(200), reached);
  const DecidedReplay bullet =
      replay_impulse_threshold(problem_, clamped(200), reached, bullet_quotient);
  EXPECT_LE(device.last_residual, reached);
  EXPECT_EQ(device.sweeps, bullet.sweeps);
  EXPECT_EQ(device.impulse, bullet.impulse);
  // The same number but for double rounding: a unit in the last place at most.
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_GE(device.last_residual, std::nextafter(bullet.last_residual, 0.0F));
  EXPECT_LE(device.last_residual, std::nextafter(bullet.last_residual, infinity));
}

INSTANTIATE_TEST_SUITE_P(Problems, OnShipped, ::testing::ValuesIn(kShipped),
                         [](const auto& test) { return std::string(test.param); });

class Walls : public OnShipped {};

TEST_P(Walls, LiteralFilterStopsFalselyAndTheVerifiedOneDoesNot) {
  constexpr float kThreshold = 0.02F;
  const DecidedReplay literal =
      replay_filter(problem_, clamped(3000), {kThreshold, kThreshold, false});
  EXPECT_LE(literal.last_residual, kThreshold);
  EXPECT_LT(literal.sweeps, 3000);
  EXPECT_GT(residual_of(problem_, literal), 2.0 * static_cast<double>(kThreshold));
  const DecidedReplay verified =
      replay_filter(problem_, clamped(3000), {kThreshold, kThreshold, true});
  EXPECT_LE(verified.last_residual, kThreshold);
  EXPECT_LT(verified.sweeps, 3000);
  EXPECT_LE(residual_of(problem_, verified), 1.001 * static_cast<double>(kThreshold));
}

INSTANTIATE_TEST_SUITE_P(Problems, Walls,
                         ::testing::Values("wall10_f012", "wall10_f040", "wall10cfm_f030"),
                         [](const auto& test) { return std::string(test.param); });

TEST(Quotient, OfBulletIsThatOfTheDeviceButForDoubleRounding) {
  EXPECT_EQ(bullet_quotient(-3.0F, 0.5F), 6.0F);
  EXPECT_EQ(device_quotient(-3.0F, 0.5F), 6.0F);
  EXPECT_EQ(device_quotient(1.0F, 3.0F), bullet_quotient(1.0F, 3.0F));
}

TEST(ReducedForm, NeedsMasses) {
  RowProblem problem = shipped("ball_f110");
  problem.inv_mass.clear();
  EXPECT_THROW(solve_reduced(problem, {}), RowProblemError);
}

TEST(SweepsByRow, StopVisitingRowsOneByOne) {
  RowProblem p = testing::empty_problem({1.0F});
  for (int i = 0; i < 3; ++i) testing::add_row(p, {0, -1, testing::along_y(), -1.0F});
  const Visits visits = sweeps_by_row(p, {}, {3, 1, 2});
  EXPECT_EQ(visits, (Visits{{0, 1, 2}, {0, 2}, {0}}));
}

}  // namespace
}  // namespace ppu::model
