// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The double reference: Examples 1-4 are refinements of each other, Example 5 meets closed forms,
// Example 6 stops where it should.
#include "model/reference/reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/reference/residual.hpp"
#include "tests/model/problems.hpp"

namespace ppu::model {
namespace {

using testing::add_row;
using testing::along_x;
using testing::along_y;
using testing::empty_problem;
using testing::shipped;

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(a[i] - b[i]));
  return a.size() == b.size() ? largest : INFINITY;
}

SolveOptions cold(int sweeps) {
  return {sweeps, Start::kCold, FrictionRule::kClamp, Projection::kMed, {}};
}

constexpr Explicit kMethods[] = {Explicit::kDenseMatrix, Explicit::kSparseMatrix,
                                 Explicit::kFullVelocity, Explicit::kStepVelocity};

void expect_refinements_agree(const std::string& name, const SolveOptions& options) {
  SCOPED_TRACE(name);
  const RowProblem problem = shipped(name);
  const State rows = solve_rows(problem, options);
  for (const Explicit method : kMethods) {
    const State state = solve_explicit(problem, options, method);
    EXPECT_LT(distance(state.impulse, rows.impulse), 1e-10) << static_cast<int>(method);
    EXPECT_LT(distance(state.velocity, rows.velocity), 1e-10) << static_cast<int>(method);
  }
}

TEST(Examples, OneToFourAgreeAsPrinted) {
  SolveOptions options;
  options.sweeps = 5;
  options.start = Start::kCold;
  options.friction = FrictionRule::kClamp;
  options.projection = Projection::kMax;
  for (const char* name : {"ball_f110", "massratio_f040", "topple_f060"}) {
    expect_refinements_agree(name, options);
  }
}

TEST(Examples, OneToFiveAgreeWithBoundsFrictionComplianceAndWarmStart) {
  for (const FrictionRule rule : {FrictionRule::kClamp, FrictionRule::kSkip}) {
    SolveOptions options;
    options.sweeps = 3;
    options.friction = rule;
    for (const char* name : {"ball_f110", "massratio_f040", "ragdollcfm_f070"}) {
      expect_refinements_agree(name, options);
    }
  }
}

TEST(Examples, VisitRowsInAGivenOrder) {
  const RowProblem problem = shipped("ball_f110");
  SolveOptions options;
  options.order.resize(problem.rows());
  std::iota(options.order.rbegin(), options.order.rend(), 0U);
  const State backwards = solve_rows(problem, options);
  EXPECT_LT(distance(solve_explicit(problem, options, Explicit::kSparseMatrix).impulse,
                     backwards.impulse),
            1e-10);
  options.order.clear();
  EXPECT_GT(distance(solve_rows(problem, options).impulse, backwards.impulse), 1e-3);
  options.order = {0, 1, 1};
  EXPECT_THROW(solve_rows(problem, options), std::invalid_argument);
}

TEST(BoxOnAPlane, IsHeldByItsWeightInOneSweep) {
  // 2 kg falling at 3 m/s onto the ground: the contact must take 6 N s.
  RowProblem p = empty_problem({0.5F});
  add_row(p, {0, -1, along_y(), -3.0F});
  const State state = solve_rows(p, cold(1));
  EXPECT_NEAR(state.impulse[0], 6.0, 1e-12);
  EXPECT_NEAR(state.velocity[1], 3.0, 1e-12);
}

TEST(BoxLeavingAPlane, IsNotHeld) {
  RowProblem p = empty_problem({0.5F});
  add_row(p, {0, -1, along_y(), 3.0F});
  const State state = solve_rows(p, {});
  EXPECT_EQ(state.impulse[0], 0.0);
}

TEST(BoxSliding, IsSlowedByNoMoreThanMuTimesTheNormalImpulse) {
  // 1 kg, 3 m/s down and 5 m/s along x, mu = 0.5: 3 N s normal, 1.5 N s of friction.
  RowProblem p = empty_problem({1.0F});
  add_row(p, {0, -1, along_y(), -3.0F});
  add_row(p, {0, -1, along_x(), 5.0F, 0, 0, 0, 0.5F, RowKind::kFriction});
  const State sliding = solve_rows(p, cold(5));
  EXPECT_NEAR(sliding.impulse[1], -1.5, 1e-12);
  EXPECT_NEAR(sliding.velocity[0], -1.5, 1e-12);
  // At 1 m/s it sticks.
  p.rate_bias[1] = 1.0F;
  const State sticking = solve_rows(p, cold(5));
  EXPECT_NEAR(sticking.impulse[1], -1.0, 1e-12);
}

TEST(TwoStackedBoxes, ConvergeToTheSumOfTheirWeights) {
  // 1 kg on 2 kg, each falling by g dt = 1 m/s: 1 N s between them, 3 N s on the ground.
  RowProblem p = empty_problem({0.5F, 1.0F});
  add_row(p, {0, -1, along_y(), -1.0F});
  add_row(p, {1, 0, along_y(), 0.0F});
  const State state = solve_rows(p, cold(200));
  EXPECT_NEAR(state.impulse[0], 3.0, 1e-6);
  EXPECT_NEAR(state.impulse[1], 1.0, 1e-6);
  EXPECT_LT(true_residual(p, state.impulse, state.velocity), 1e-6);
  // The first sweep by hand: 2 N s on the ground; then the gap closes at 1 m/s, d = 2/3.
  const State first = solve_rows(p, cold(1));
  EXPECT_NEAR(first.impulse[0], 2.0, 1e-6);
}

TEST(SoftRow, GivesWayByItsCompliance) {
  // u = b + x/m + cfm x = 0 -> x = -b / (1/m + cfm) = 3 / (0.5 + 0.25) = 4.
  RowProblem p = empty_problem({0.5F});
  add_row(p, {0, -1, along_y(), -3.0F});
  p.compliance[0] = 0.25F;
  p.inv_diagonal[0] = 1.0F / 0.75F;
  EXPECT_NEAR(solve_rows(p, cold(50)).impulse[0], 4.0, 1e-6);
}

TEST(SkipRule, KeepsTheImpulseThatClampTakesAway) {
  RowProblem p = empty_problem({1.0F});
  add_row(p, {0, -1, along_y(), 1.0F});
  add_row(p, {0, -1, along_x(), 2.0F, 0, 0, 0, 0.5F, RowKind::kFriction});
  p.impulse[1] = 0.75F;
  EXPECT_EQ(solve_rows(p, {1, Start::kWarm, FrictionRule::kSkip, Projection::kMed, {}}).impulse[1],
            0.75);
  EXPECT_EQ(solve_rows(p, {1, Start::kWarm, FrictionRule::kClamp, Projection::kMed, {}}).impulse[1],
            0.0);
}

TEST(Threshold, StopsAtTheFirstSweepThatMeetsIt) {
  const RowProblem problem = shipped("topple_f060");
  SolveOptions options;
  options.sweeps = 500;
  const ThresholdSolve run = solve_to_threshold(problem, options, 0.01);
  ASSERT_TRUE(run.reached);
  EXPECT_LE(run.max_u, 0.01);
  ASSERT_GT(run.sweeps, 1);
  options.sweeps = run.sweeps;
  EXPECT_EQ(distance(solve_rows(problem, options).impulse, run.state.impulse), 0.0);
  options.sweeps = run.sweeps - 1;
  const ThresholdSolve before = solve_to_threshold(problem, options, 0.01);
  EXPECT_FALSE(before.reached);
  EXPECT_GT(before.max_u, 0.01);
}

TEST(Threshold, LooksBeforeItSweeps) {
  // A box at rest on the ground with the right impulse: the first pass finds nothing to do.
  RowProblem p = empty_problem({0.5F});
  add_row(p, {0, -1, along_y(), -3.0F});
  p.impulse[0] = 6.0F;
  p.velocity_change[1] = 3.0F;
  const ThresholdSolve warm =
      solve_to_threshold(p, {10, Start::kWarm, FrictionRule::kClamp, Projection::kMed, {}}, 1e-3);
  EXPECT_EQ(warm.sweeps, 0);
  EXPECT_TRUE(warm.reached);
  EXPECT_GT(solve_to_threshold(p, cold(10), 1e-3).sweeps, 0);
}

TEST(Threshold, IsNotHeldUpByASlidingContactThatCarriesNothing) {
  // The normal opens, so the friction row has lo = hi = 0 while the box slides at 2 m/s.
  RowProblem p = empty_problem({1.0F});
  add_row(p, {0, -1, along_y(), 1.0F});
  add_row(p, {0, -1, along_x(), 2.0F, 0, 0, 0, 0.5F, RowKind::kFriction});
  const SolveOptions options = cold(10);
  EXPECT_TRUE(solve_to_threshold(p, options, 1e-3).reached);
}

TEST(Residual, SeesTheStateAsItIs) {
  RowProblem p = empty_problem({1.0F});
  add_row(p, {0, -1, along_y(), -3.0F});
  add_row(p, {0, -1, along_x(), 5.0F, 0, 0, 0, 0.5F, RowKind::kFriction});
  const std::vector<double> at_rest(6, 0.0);
  EXPECT_EQ(true_residual(p, std::vector<double>{0, 0}, at_rest), 3.0);
  EXPECT_EQ(row_residuals(p, std::vector<double>{1, 0}, at_rest), (std::vector<double>{3.0, 5.0}));
  // At lo = -0.5 with u > 0 friction does all it can.
  EXPECT_EQ(row_residuals(p, std::vector<double>{1, -0.5}, at_rest),
            (std::vector<double>{3.0, 0.0}));
}

TEST(Residual, RoundsFrictionBoundsAsTheStateDoes) {
  // mu*x rounds down in float: seen in double, the clamped impulse would be inside its bounds.
  RowProblem p = empty_problem({1.0F});
  add_row(p, {0, -1, along_y(), 0.0F});
  add_row(p, {0, -1, along_x(), 5.0F, 0, 0, 0, 0.3F, RowKind::kFriction});
  int rounded_down = 0;
  for (int i = 1; i < 100; ++i) {
    const float parent = 0.01F * static_cast<float>(i);
    const float bound = 0.3F * parent;
    if (static_cast<double>(bound) < static_cast<double>(0.3F) * static_cast<double>(parent)) {
      ++rounded_down;
    }
    const std::vector<float> at_rest(6, 0.0F);
    EXPECT_EQ(row_residuals(p, std::vector<float>{parent, -bound}, at_rest)[1], 0.0);
  }
  EXPECT_GT(rounded_down, 0);
}

TEST(Residual, IsNotSmallWhereItIsNotANumber) {
  RowProblem p = empty_problem({1.0F});
  add_row(p, {0, -1, along_y(), -3.0F});
  std::vector<double> velocity(6, 0.0);
  velocity[1] = NAN;
  EXPECT_FALSE(true_residual(p, std::vector<double>{1}, velocity) < 1e30);
  EXPECT_FALSE(true_residual(p, std::vector<double>{0}, velocity) < 1e30) << "at a bound";
}

TEST(Residual, SeesWhatIsNotANumberInWhicheverRow) {
  RowProblem p = empty_problem({1.0F, 1.0F, 1.0F});
  for (const int body : {0, 1, 2}) add_row(p, {body, -1, along_y(), -3.0F});
  const std::vector<double> impulse{1, 1, 1};
  for (const std::size_t body : {0, 1, 2}) {
    std::vector<double> velocity(18, 0.0);
    velocity[6 * body + 1] = NAN;
    EXPECT_EQ(true_residual(p, impulse, velocity), HUGE_VAL) << "body " << body;
    EXPECT_TRUE(std::isnan(coupling_error(p, impulse, velocity))) << "body " << body;
  }
}

TEST(Coupling, HoldsAfterSweepsFromAColdStart) {
  const RowProblem problem = shipped("wall10_f012");
  SolveOptions options;
  options.start = Start::kCold;
  const State state = solve_rows(problem, options);
  EXPECT_LT(coupling_error(problem, state.impulse, state.velocity), 1e-10);
  std::vector<double> off = state.velocity;
  off[10] += 1.0;
  EXPECT_NEAR(coupling_error(problem, state.impulse, off), 1.0, 1e-9);
}

TEST(FrozenFriction, MakesAPlainBoxedProblem) {
  const RowProblem problem = shipped("ball_f110");
  const RowProblem frozen = freeze_friction(problem, problem.reference->impulse);
  validate(frozen, "frozen");
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    EXPECT_EQ(frozen.parent[i], -1);
    if (problem.parent[i] < 0) continue;
    const float parent = problem.reference->impulse[static_cast<std::size_t>(problem.parent[i])];
    EXPECT_EQ(frozen.upper[i], problem.friction[i] * std::max(0.0F, parent));
    EXPECT_EQ(frozen.lower[i], -frozen.upper[i]);
  }
}

}  // namespace
}  // namespace ppu::model
