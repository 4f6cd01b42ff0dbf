// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The converged solution satisfies the conditions (3)-(7), and sweeps lead to it.
#include "model/reference/converged.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/reference/residual.hpp"
#include "tests/model/problems.hpp"

namespace ppu::model {
namespace {

using testing::shipped;

double largest_difference(const std::vector<double>& v, const std::vector<double>& w) {
  double largest = 0;
  for (std::size_t k = 0; k < v.size(); ++k) largest = std::max(largest, std::fabs(v[k] - w[k]));
  return largest;
}

class ConvergedSolutionOf : public ::testing::TestWithParam<const char*> {};

TEST_P(ConvergedSolutionOf, SatisfiesTheBoxingConditions) {
  const RowProblem problem = shipped(GetParam());
  const RowProblem frozen = freeze_friction(problem, problem.reference->impulse);
  const ConvergedSolution solution = solve_to_convergence(frozen);
  EXPECT_TRUE(solution.reached) << solution.error.complementarity;
  EXPECT_EQ(solution.error.bounds, 0.0);
  EXPECT_LE(solution.error.complementarity, 1e-10);
  // Checked again here, against the file's own rounded M^-1 J^T.
  double largest = 0;
  for (std::size_t i = 0; i < frozen.rows(); ++i) {
    EXPECT_GE(solution.state.impulse[i], static_cast<double>(frozen.lower[i]));
    EXPECT_LE(solution.state.impulse[i], static_cast<double>(frozen.upper[i]));
    for (std::size_t k = 12 * i; k < 12 * i + 12; ++k) {
      const double entry = static_cast<double>(frozen.inv_mass_jacobian[k]);
      largest = std::max(largest, std::fabs(entry * solution.state.impulse[i]));
    }
  }
  EXPECT_LE(true_residual(frozen, solution.state.impulse, solution.state.velocity), 1e-10);
  EXPECT_LE(coupling_error(frozen, solution.state.impulse, solution.state.velocity),
            1e-6 * largest);
}

INSTANTIATE_TEST_SUITE_P(Shipped, ConvergedSolutionOf,
                         ::testing::Values("ball_f110", "massratio_f040", "topple_f060",
                                           "ragdollcfm_f070"),
                         [](const auto& test) { return std::string(test.param); });

TEST(Sweeps, LeadToTheConvergedVelocity) {
  // They end beside it, not at it: the file's M^-1 J^T is rounded, the converged solution's is not.
  for (const char* name : {"ball_f110", "massratio_f040", "topple_f060"}) {
    const RowProblem problem = shipped(name);
    const RowProblem frozen = freeze_friction(problem, problem.reference->impulse);
    const State solution = solve_to_convergence(frozen).state;
    SolveOptions options;
    const double after_10 =
        largest_difference(solve_rows(frozen, options).velocity, solution.velocity);
    options.sweeps = 10000;
    const double after_10000 =
        largest_difference(solve_rows(frozen, options).velocity, solution.velocity);
    EXPECT_LT(after_10000, after_10 / 500) << name;
  }
}

TEST(ConvergedSolution, OfTwoStackedBoxesIsTheirWeight) {
  RowProblem p = testing::empty_problem({0.5F, 1.0F});
  testing::add_row(p, {0, -1, testing::along_y(), -1.0F});
  testing::add_row(p, {1, 0, testing::along_y(), 0.0F});
  const ConvergedSolution solution = solve_to_convergence(p);
  EXPECT_TRUE(solution.reached);
  EXPECT_NEAR(solution.state.impulse[0], 3.0, 1e-9);
  EXPECT_NEAR(solution.state.impulse[1], 1.0, 1e-9);
}

TEST(ConvergedSolution, NeedsFrozenFrictionAndMasses) {
  RowProblem problem = shipped("ball_f110");
  EXPECT_THROW(solve_to_convergence(problem), RowProblemError);
  problem = freeze_friction(problem, problem.reference->impulse);
  problem.inv_mass.clear();
  EXPECT_THROW(solve_to_convergence(problem), RowProblemError);
}

}  // namespace
}  // namespace ppu::model
