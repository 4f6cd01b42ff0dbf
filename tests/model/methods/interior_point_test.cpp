// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The interior point method on problems with a known solution and on the shipped ones.
#include "model/methods/interior_point.hpp"

#include <gtest/gtest.h>

#include "model/reference/converged.hpp"
#include "tests/model/methods/methods_problems.hpp"

namespace ppu::model::methods {
namespace {

InteriorPointSolution solve_inside(const RowProblem& problem,
                                   const InteriorPointOptions& options = {}) {
  return solve_interior_point(scaled_rows(problem), options);
}

TEST(InteriorPoint, FindsTheWeightOfTwoStackedBoxes) {
  const auto solution = solve_inside(testing::two_boxes());
  EXPECT_TRUE(solution.reached);
  EXPECT_LT(testing::largest_difference(solution.impulse, {3, 1}), 1e-6);
}

TEST(InteriorPoint, SolvesRowsOfEveryKind) {
  for (const Direction direction : {Direction::kPaper, Direction::kCorrected}) {
    for (const Form form : {Form::kPrimal, Form::kDual}) {
      InteriorPointOptions options;
      options.direction = direction;
      options.system.form = form;
      const auto solution = solve_inside(testing::every_kind(), options);
      EXPECT_TRUE(solution.reached);
      EXPECT_LT(testing::largest_difference(solution.impulse, testing::every_kind_solved()), 1e-5);
    }
  }
}

TEST(InteriorPoint, StartsAsThePaperSays) {
  // L with x = 1, s = max(0.1, 1 + 2) = 3; B with x = 1, s = 0.1 + 0.5, xi = 0.6 - 0.5:
  // mu = (3 + 0.6 + 0.1)/3. g = 0 in both.
  RowProblem p = testing::empty_problem({});
  testing::add_single(p, 2, 0, 1e10F);
  testing::add_single(p, -0.5F, 0, 2);
  const auto solution = solve_inside(p);
  ASSERT_FALSE(solution.iterations.empty());
  EXPECT_NEAR(solution.iterations[0].mu, 3.7 / 3, 1e-12);
  EXPECT_NEAR(solution.iterations[0].gradient, 0, 1e-12);
}

class InteriorPointOn : public ::testing::TestWithParam<const char*> {};

TEST_P(InteriorPointOn, TakesAtMost22Iterations) {
  const auto solution = solve_inside(testing::frozen(GetParam()));
  EXPECT_TRUE(solution.reached);
  EXPECT_LE(solution.iterations.size(), 22U);
}

TEST_P(InteriorPointOn, EndsWithinTheBounds) {
  const ScaledRows rows = scaled_rows(testing::frozen(GetParam()));
  const auto solution = solve_interior_point(rows, {});
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    EXPECT_EQ(solution.impulse[i], rows.clamped(i, solution.impulse[i])) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Shipped, InteriorPointOn, ::testing::ValuesIn(testing::kShipped),
                         [](const auto& test) { return std::string(test.param); });

TEST(InteriorPoint, EndsAtTheConvergedVelocity) {
  for (const char* name : {"ball_f110", "massratio_f040", "topple_f060", "ragdollcfm_f070"}) {
    const RowProblem problem = testing::frozen(name);
    InteriorPointOptions options;
    options.mu_tolerance = 1e-13;
    options.gradient_tolerance = 1e-10;
    const auto solution = solve_inside(problem, options);
    const auto expected = solve_to_convergence(problem).state.velocity;
    EXPECT_LT(testing::largest_difference(velocity_of(problem, solution.impulse), expected), 1e-4)
        << name;
  }
}

TEST(InteriorPoint, GoesTheSameWayInBothForms) {
  const RowProblem problem = testing::frozen("ragdollcfm_f070");
  InteriorPointOptions options;
  options.system.form = Form::kPrimal;
  const auto primal = solve_inside(problem, options);
  options.system.form = Form::kDual;
  const auto dual = solve_inside(problem, options);
  EXPECT_EQ(primal.iterations.size(), dual.iterations.size());
  EXPECT_LT(testing::largest_difference(primal.impulse, dual.impulse), 1e-4);
}

TEST(InteriorPoint, NeedsLessMemoryWithTheSwitchAndTheOrdering) {
  const ScaledRows rows = scaled_rows(testing::frozen("wall10_f012"));
  const auto doubles = [&](Form form, Ordering ordering) {
    return predicted_factor_nonzeros(rows, form, ordering);
  };
  const std::size_t primal = doubles(Form::kPrimal, Ordering::kNatural);
  const std::size_t dual = doubles(Form::kDual, Ordering::kNatural);
  const std::size_t ordered_dual = doubles(Form::kDual, Ordering::kReverseCuthillMcKee);
  EXPECT_LT(dual, primal);
  EXPECT_LT(ordered_dual, dual);
  EXPECT_EQ(solve_interior_point(rows, {}).factor_nonzeros, ordered_dual);
}

TEST(InteriorPoint, SolvesWithAnIncompleteFactorToo) {
  const RowProblem problem = testing::frozen("ragdollcfm_f070");
  const auto exact = solve_inside(problem);
  InteriorPointOptions options;
  options.system.factor.factor = Factor::kIncomplete;
  options.system.factor.drop_tolerance = 1e-4;
  const auto incomplete = solve_inside(problem, options);
  EXPECT_TRUE(incomplete.reached);
  EXPECT_LT(incomplete.factor_nonzeros, exact.factor_nonzeros);
  EXPECT_GT(incomplete.gradient_steps, 0U);
}

TEST(InteriorPoint, DoesNotClaimToSolveWhatHasNoSolution) {
  // A body that two walls push apart, each by more than the other allows.
  RowProblem p = testing::empty_problem({1.0F});
  testing::add_row(p, {0, -1, testing::along_y(), -1.0F});
  auto down = testing::along_y();
  down[1] = -1;
  testing::add_row(p, {0, -1, down, -1.0F});
  try {
    EXPECT_FALSE(solve_inside(p).reached);
  } catch (const MethodFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find("expected"), std::string::npos);
  }
}

TEST(ScaledRows, NeedFrozenFrictionAndMasses) {
  EXPECT_THROW(scaled_rows(testing::shipped("ball_f110")), RowProblemError);
  RowProblem problem = testing::frozen("ball_f110");
  problem.inv_mass.clear();
  EXPECT_THROW(scaled_rows(problem), RowProblemError);
}

TEST(ScaledRows, RefuseAnInertiaThatIsNotPositive) {
  RowProblem problem = testing::two_boxes();
  problem.inv_inertia[9] = -1;
  try {
    scaled_rows(problem);
    FAIL();
  } catch (const RowProblemError& error) {
    EXPECT_STREQ(error.what(),
                 "made: /bodies/inv_inertia row 1: found the eigenvalue -1, expected a "
                 "positive semidefinite matrix");
  }
}

TEST(Residual, SeesANumberThatIsNone) {
  const ScaledRows rows = scaled_rows(testing::two_boxes());
  const std::vector<double> x{NAN, 1};
  EXPECT_FALSE(residual(rows, x, rows.rates(x)).paper <= 1e-8);
}

}  // namespace
}  // namespace ppu::model::methods
