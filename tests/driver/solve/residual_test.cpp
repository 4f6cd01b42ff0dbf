// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The true residual on the host, by hand and against the model's.
#include "model/reference/residual.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "driver/solve/residual.hpp"
#include "tests/driver/support/problems.hpp"

namespace ppu::driver {
namespace {

class OneRow : public testing::Test {
 protected:
  double residual(float x, float velocity) {
    const float v[6] = {0, velocity, 0, 0, 0, 0};
    return true_residual(test::view(problem_), &x, v);
  }
  model::RowProblem problem_ = test::column(1);  ///< u = v_y - 1, x in [0, 1e10].
};

TEST_F(OneRow, AtTheLowerBoundOnlyApproachCounts) {
  EXPECT_EQ(residual(0, 0.25F), 0.75);
  EXPECT_EQ(residual(0, 3), 0);
}

TEST_F(OneRow, InsideTheBoundsBothSignsCount) {
  EXPECT_EQ(residual(1, 0.25F), 0.75);
  EXPECT_EQ(residual(1, 3), 2);
}

TEST_F(OneRow, AtTheUpperBoundOnlyExcessCounts) {
  problem_.upper[0] = 1;
  EXPECT_EQ(residual(1, 0.25F), 0);
  EXPECT_EQ(residual(1, 3), 2);
}

TEST_F(OneRow, TheImpulseFormHasTheSameResidual) {
  problem_.inv_diagonal[0] = 0.25F;
  problem_.compliance[0] = 0.5F;
  const double expected = residual(2, 0.75F);
  ASSERT_NE(expected, 0);
  problem_.rate_bias[0] *= -0.25F;
  problem_.compliance[0] *= 0.25F;
  ppu_problem scaled = test::view(problem_);
  scaled.impulse_form = true;
  const float x = 2;
  const float v[6] = {0, 0.75F, 0, 0, 0, 0};
  EXPECT_EQ(true_residual(scaled, &x, v), expected);
  problem_.inv_diagonal[0] = 0;
  EXPECT_EQ(true_residual(scaled, &x, v), 0) << "nothing of the row was left";
}

TEST_F(OneRow, EqualBoundsCountNothing) {
  problem_.upper[0] = 0;
  EXPECT_EQ(residual(0, 0), 0);
}

TEST_F(OneRow, WhatIsNoNumberIsInfinitelyFar) {
  constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(residual(1, kNotANumber), std::numeric_limits<double>::infinity());
  EXPECT_EQ(residual(0, kNotANumber), std::numeric_limits<double>::infinity()) << "at a bound";
}

TEST_F(OneRow, NoUpperBoundIsNeverReached) {
  problem_.upper[0] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(residual(1, 3), 2);
}

TEST_F(OneRow, ComplianceCounts) {
  problem_.compliance[0] = 0.5F;
  EXPECT_EQ(residual(1, 0.25F), 0.25);
}

TEST(TrueResidual, EqualsTheModelsOnRealProblems) {
  for (const char* file : {"wall10_f012.h5", "ragdollcfm_f070.h5", "ball_f110.h5"}) {
    const model::RowProblem problem = test::read_test_data(file);
    const double ours = true_residual(test::view(problem), problem.reference->impulse.data(),
                                      problem.reference->velocity_change.data());
    const double models = model::true_residual(problem, problem.reference->impulse,
                                               problem.reference->velocity_change);
    EXPECT_NEAR(ours, models, 1e-12 * models) << file;
    EXPECT_GT(ours, 0) << file;
  }
}

}  // namespace
}  // namespace ppu::driver
