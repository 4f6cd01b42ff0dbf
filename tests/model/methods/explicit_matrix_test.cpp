// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Pseudo-Code Examples 1 to 3 as solvers, and the matrices they refuse.
#include "model/methods/explicit_matrix.hpp"

#include <gtest/gtest.h>

#include "model/reference/converged.hpp"
#include "tests/model/methods/methods_problems.hpp"

namespace ppu::model::methods {
namespace {

/// A full matrix with 0 <= f.
ExplicitProblem dense(const std::vector<std::vector<double>>& a, const std::vector<double>& b) {
  ExplicitProblem p;
  p.name = "made";
  p.a.columns = b.size();
  for (const auto& row : a) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      p.a.column.push_back(static_cast<std::uint32_t>(k));
      p.a.value.push_back(row[k]);
    }
    p.a.start.push_back(p.a.value.size());
  }
  p.bias = b;
  p.compliance.assign(b.size(), 0);
  p.lower.assign(b.size(), 0);
  p.upper.assign(b.size(), INFINITY);
  p.parent.assign(b.size(), -1);
  p.friction.assign(b.size(), 0);
  return p;
}

std::string refusal(const ExplicitProblem& problem) {
  try {
    check_explicit(problem);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(ExplicitMatrix, SolvesTwoCoupledUnknowns) {
  // 2 f0 + f1 = 4, f0 + 2 f1 = 5; and with the other sign of b_1 f1 = 0 and f0 = 2.
  auto solution = solve_explicit(dense({{2, 1}, {1, 2}}, {-4, -5}), {});
  EXPECT_TRUE(solution.reached);
  EXPECT_TRUE(solution.dense);
  EXPECT_LT(testing::largest_difference(solution.impulse, {1, 2}), 1e-6);
  solution = solve_explicit(dense({{2, 1}, {1, 2}}, {-4, 5}), {});
  EXPECT_LT(testing::largest_difference(solution.impulse, {2, 0}), 1e-6);
}

TEST(ExplicitMatrix, SolvesRowsOfEveryKind) {
  for (const Example example : {Example::kMatrix, Example::kFullVelocity, Example::kStepVelocity}) {
    ExplicitOptions options;
    options.example = example;
    const auto solution = solve_explicit(explicit_problem(testing::every_kind()), options);
    EXPECT_TRUE(solution.reached);
    EXPECT_LT(testing::largest_difference(solution.impulse, testing::every_kind_solved()), 1e-12);
  }
}

TEST(ExplicitMatrix, GivesTheSameInAllThreeExamples) {
  // With friction that follows its contacts.
  const ExplicitProblem problem = explicit_problem(testing::shipped("topple_f060"));
  ExplicitOptions options;
  options.max_sweeps = 20;
  const auto first = solve_explicit(problem, options);
  EXPECT_FALSE(first.dense);
  options.example = Example::kFullVelocity;
  EXPECT_LT(testing::largest_difference(solve_explicit(problem, options).impulse, first.impulse),
            1e-12);
  options.example = Example::kStepVelocity;
  EXPECT_LT(testing::largest_difference(solve_explicit(problem, options).impulse, first.impulse),
            1e-12);
}

TEST(ExplicitMatrix, AgreesWithTheReferenceOfTheSameExample) {
  // The reference takes the file's rounded 1/a_ii and M^-1 J'.
  const RowProblem problem = testing::shipped("ball_f110");
  SolveOptions reference;
  reference.start = Start::kCold;
  reference.friction = FrictionRule::kClamp;
  ExplicitOptions options;
  options.max_sweeps = reference.sweeps;
  options.threshold = 0;
  const auto expected = model::solve_explicit(problem, reference, Explicit::kDenseMatrix).impulse;
  const auto solution = solve_explicit(explicit_problem(problem), options);
  EXPECT_LT(testing::largest_difference(solution.impulse, expected), 1e-4);
}

TEST(ExplicitMatrix, EndsWhereItsTrueResidualIsBelowTheThreshold) {
  ExplicitOptions options;
  options.threshold = 1e-4;
  options.max_sweeps = 100000;
  const RowProblem problem = testing::frozen("ball_f110");
  const auto solution = solve_explicit(explicit_problem(problem), options);
  EXPECT_TRUE(solution.reached);
  const ScaledRows rows = scaled_rows(problem);
  EXPECT_NEAR(residual(rows, solution.impulse, rows.rates(solution.impulse)).rate,
              solution.residual, 1e-9);
}

TEST(ExplicitMatrix, NeedsJForExamples2And3) {
  ExplicitOptions options;
  options.example = Example::kStepVelocity;
  EXPECT_THROW(solve_explicit(dense({{1}}, {1}), options), RowProblemError);
}

TEST(ExplicitMatrix, RefusesWhatIsNoProblem) {
  EXPECT_EQ(refusal(dense({{2, 1}, {0, 2}}, {0, 0})),
            "made: A column 1 row 0: found 1, expected 0 as on the other side of the "
            "diagonal");
  EXPECT_EQ(refusal(dense({{1, 0}, {0, 0}}, {0, 0})),
            "made: diagonal of A row 1: found 0, expected a number above 0");
  EXPECT_EQ(refusal(dense({{1, 0}, {0, 1}}, {0, NAN})),
            "made: bias row 1: found nan, expected a finite number");
  EXPECT_EQ(refusal(dense({{1, 0}}, {0, 0})), "made: A: found 1 rows, expected 2");
  EXPECT_EQ(refusal(dense({{1, 0, 2}, {0, 1}}, {0, 0})),
            "made: A row 0: found column 2, expected ascending columns below 2");
  ExplicitProblem crossed = dense({{1}}, {0});
  crossed.lower[0] = 2;
  crossed.upper[0] = 1;
  EXPECT_EQ(refusal(crossed), "made: lower row 0: found 2, expected at most upper, 1");
  ExplicitProblem late = dense({{1}}, {0});
  late.parent[0] = 0;
  EXPECT_EQ(refusal(late), "made: parent row 0: found 0, expected an earlier row or -1");
}

TEST(ExplicitMatrix, RefusesWhatIsIndefinite) {
  EXPECT_EQ(refusal(dense({{1, 2}, {2, 1}}, {0, 0})),
            "made: A column 1 row 0: found 2, expected at most 1 as in a positive "
            "semidefinite matrix");
  // All minors of two rows are positive, the determinant is not.
  EXPECT_NE(refusal(dense({{1, -0.9, -0.9}, {-0.9, 1, -0.9}, {-0.9, -0.9, 1}}, {0, 0, 0}))
                .find("expected a positive definite matrix"),
            std::string::npos);
}

}  // namespace
}  // namespace ppu::model::methods
