// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Projected Gauss-Seidel with subspace minimization: on the host and with sweeps in float32.
#include "model/methods/subspace.hpp"

#include <gtest/gtest.h>

#include "model/reference/converged.hpp"
#include "model/reference/replay.hpp"
#include "tests/model/methods/methods_problems.hpp"

namespace ppu::model::methods {
namespace {

constexpr Proximal kNoProximal{0, 0, 1, 0, 0};

SubspaceSolution solve_in_subspaces(const RowProblem& problem,
                                    const SubspaceOptions& options = {}) {
  const ScaledRows rows = scaled_rows(problem);
  HostSweeps sweeps(rows);
  return solve_subspace(rows, sweeps, options);
}

/// What a device does: sweeps of the rate form in float32, from zero.
std::vector<float> float_sweeps(const RowProblem& problem, int count) {
  SolveOptions options;
  options.sweeps = count;
  options.start = Start::kCold;
  return replay(problem, options, spec::Form::kRate).impulse;
}

TEST(SubspaceMinimization, FindsTheWeightOfTwoStackedBoxes) {
  const auto solution = solve_in_subspaces(testing::two_boxes());
  EXPECT_TRUE(solution.reached);
  EXPECT_LT(testing::largest_difference(solution.impulse, {3, 1}), 1e-7);
}

TEST(SubspaceMinimization, SolvesRowsOfEveryKind) {
  const auto solution = solve_in_subspaces(testing::every_kind());
  EXPECT_TRUE(solution.reached);
  EXPECT_LT(testing::largest_difference(solution.impulse, testing::every_kind_solved()), 1e-7);
}

class SubspaceMinimizationOf : public ::testing::TestWithParam<const char*> {};

TEST_P(SubspaceMinimizationOf, ReachesOneIn100Million) {
  const auto solution = solve_in_subspaces(testing::frozen(GetParam()));
  EXPECT_TRUE(solution.reached);
  EXPECT_LE(solution.residual.paper, 1e-8);
  EXPECT_LE(solution.sweeps, 1000);
}

TEST_P(SubspaceMinimizationOf, ReachesItWithSweepsInFloatToo) {
  const RowProblem problem = testing::frozen(GetParam());
  const ScaledRows rows = scaled_rows(problem);
  CorrectionSweeps sweeps(problem, rows, float_sweeps);
  const auto solution = solve_subspace(rows, sweeps, {});
  EXPECT_TRUE(solution.reached) << solution.residual.paper;
}

INSTANTIATE_TEST_SUITE_P(Shipped, SubspaceMinimizationOf, ::testing::ValuesIn(testing::kShipped),
                         [](const auto& test) { return std::string(test.param); });

TEST(SubspaceMinimization, NeedsFewFactorsWhereTheMatrixIsPositiveDefinite) {
  // The paper's method, without a proximal term; the compliance is a part of the diagonal.
  ScaledRows rows = scaled_rows(testing::frozen("topple_f060"));
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    rows.compliance[i] += 0.01 * rows.diagonal[i];
    rows.diagonal[i] *= 1.01;
  }
  SubspaceOptions options;
  options.proximal = kNoProximal;
  HostSweeps sweeps(rows);
  const auto solution = solve_subspace(rows, sweeps, options);
  EXPECT_TRUE(solution.reached) << solution.residual.paper;
  EXPECT_LE(solution.factorizations, 12);
}

TEST(SubspaceMinimization, StartsWithASmallProximalTermOnlyWhereEveryRowHasCompliance) {
  ScaledRows rows = scaled_rows(testing::frozen("ragdollcfm_f070"));
  EXPECT_EQ(proximal_for(rows).first, 1e-2);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    rows.compliance[i] += 1e-3 * rows.diagonal[i];
    rows.diagonal[i] *= 1.001;
  }
  EXPECT_EQ(proximal_for(rows).first, 1e-6);
  HostSweeps sweeps(rows);
  SubspaceOptions large;
  large.proximal = Proximal{};
  const auto slow = solve_subspace(rows, sweeps, large);
  const auto solution = solve_subspace(rows, sweeps, {});
  EXPECT_TRUE(solution.reached);
  EXPECT_LT(solution.factorizations, slow.factorizations);
  rows.compliance[5] = 0;
  EXPECT_EQ(proximal_for(rows).first, 1e-2);
}

TEST(SubspaceMinimization, GoesWherePlainSweepsDoNotArrive) {
  const RowProblem problem = testing::frozen("topple_f060");
  const ScaledRows rows = scaled_rows(problem);
  std::vector<double> x(rows.rows());
  HostSweeps sweeps(rows);
  sweeps.sweep(x, 50000);
  EXPECT_GT(residual(rows, x, rows.rates(x)).paper, 1e-8);
  EXPECT_TRUE(solve_in_subspaces(problem).reached);
}

TEST(SubspaceMinimization, EndsAtTheConvergedVelocity) {
  const RowProblem problem = testing::frozen("ball_f110");
  const auto solution = solve_in_subspaces(problem);
  const auto expected = solve_to_convergence(problem).state.velocity;
  EXPECT_LT(testing::largest_difference(velocity_of(problem, solution.impulse), expected), 1e-6);
}

TEST(SubspaceMinimization, FromItsOwnSolutionIsDoneInOneRound) {
  const ScaledRows rows = scaled_rows(testing::frozen("ball_f110"));
  HostSweeps sweeps(rows);
  const auto first = solve_subspace(rows, sweeps, {});
  SubspaceOptions options;
  options.proximal = Proximal{1e-9};
  const auto second = solve_subspace(rows, sweeps, options, first.impulse);
  EXPECT_EQ(second.rounds.size(), 1U);
}

TEST(Sweeps, OnTheHostStepEachRowOnce) {
  // x_0 = 2 of b = -1 and a = 1/2; then u_1 = -1/2 x_0 and a = 3/2.
  const ScaledRows rows = scaled_rows(testing::two_boxes());
  std::vector<double> x(2);
  HostSweeps(rows).sweep(x, 1);
  EXPECT_DOUBLE_EQ(x[0], 2);
  EXPECT_NEAR(x[1], 2.0 / 3, 1e-15);
}

TEST(Sweeps, OfACorrectionPutRowsExactlyToTheirBounds) {
  const RowProblem problem = testing::every_kind();
  const ScaledRows rows = scaled_rows(problem);
  std::vector<double> x{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.25};
  CorrectionSweeps(problem, rows, float_sweeps).sweep(x, 1);
  EXPECT_EQ(x[1], 0);
  EXPECT_EQ(x[3], 5);
  EXPECT_EQ(x[5], 1);
  EXPECT_EQ(x[6], 0.25);
  EXPECT_LT(testing::largest_difference(x, testing::every_kind_solved()), 1e-6);
}

TEST(Sweeps, OfACorrectionSeeWhatIsLeft) {
  const RowProblem problem = testing::every_kind();
  const ScaledRows rows = scaled_rows(problem);
  const RowProblem left = correction_problem(problem, rows, {0, 0, 0, 0, 0.25, 0, 0.25});
  EXPECT_EQ(left.rate_bias[4], 0.75F);
  EXPECT_EQ(left.lower[4], -1.25F);
  EXPECT_EQ(left.upper[4], 0.75F);
}

TEST(Sweeps, OfADeviceThatAnswersNonsenseAreRefused) {
  const RowProblem problem = testing::two_boxes();
  const ScaledRows rows = scaled_rows(problem);
  std::vector<double> x(2);
  CorrectionSweeps few(problem, rows, [](const RowProblem&, int) { return std::vector<float>(1); });
  EXPECT_THROW(few.sweep(x, 1), MethodFailure);
  CorrectionSweeps none(problem, rows, [](const RowProblem&, int) {
    return std::vector<float>{0, NAN};
  });
  EXPECT_THROW(none.sweep(x, 1), MethodFailure);
}

TEST(SubspaceMinimization, RefusesAStartOfAnotherSize) {
  const ScaledRows rows = scaled_rows(testing::two_boxes());
  HostSweeps sweeps(rows);
  EXPECT_THROW(solve_subspace(rows, sweeps, {}, {1, 2, 3}), std::invalid_argument);
}

TEST(SubspaceMinimization, WithoutAProximalTermRefusesASingularMatrix) {
  // The same contact twice.
  RowProblem p = testing::two_boxes();
  testing::add_row(p, {0, -1, testing::along_y(), -1.0F});
  SubspaceOptions options;
  options.proximal = kNoProximal;
  options.system.form = Form::kPrimal;
  EXPECT_THROW(solve_in_subspaces(p, options), MethodFailure);
  EXPECT_TRUE(solve_in_subspaces(p).reached);
}

}  // namespace
}  // namespace ppu::model::methods
