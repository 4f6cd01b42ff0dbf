// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Every shipped problem: the engine's own answer is reproduced in float and in double, and float
// stays within the stated bound of double.
#include <gtest/gtest.h>

#include <cmath>

#include "model/reference/comparison.hpp"
#include "model/reference/replay.hpp"
#include "model/reference/residual.hpp"
#include "tests/model/problems.hpp"

namespace ppu::model {
namespace {

constexpr spec::Form kForms[] = {spec::Form::kRate, spec::Form::kImpulse};

std::vector<double> widened(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

class ShippedProblem : public ::testing::TestWithParam<const char*> {};

TEST_P(ShippedProblem, GivesTheEnginesImpulses) {
  const RowProblem p = testing::shipped(GetParam());
  ASSERT_TRUE(p.reference);
  SolveOptions options;
  options.sweeps = p.reference->sweeps;
  for (const spec::Form form : kForms) {
    const Replay run = replay(p, options, form);
    EXPECT_FALSE(run.fault_row);
    EXPECT_LE(relative_error(run.impulse, widened(p.reference->impulse)), 1e-6);
    EXPECT_LE(relative_error(run.velocity_change, widened(p.reference->velocity_change)), 1e-6);
  }
  EXPECT_LE(relative_error(p.reference->impulse, solve_rows(p, options).impulse), 1e-6);
}

TEST_P(ShippedProblem, StaysWithinTheStatedBoundOfDouble) {
  const RowProblem p = testing::shipped(GetParam());
  for (const Start start : {Start::kWarm, Start::kCold}) {
    for (const FrictionRule rule : {FrictionRule::kSkip, FrictionRule::kClamp}) {
      for (const int sweeps : {1, 10, 50}) {
        const SolveOptions options{sweeps, start, rule, Projection::kMed, {}};
        const State reference = solve_rows(p, options);
        const double bound = float_error_bound(p, reference, sweeps);
        EXPECT_LT(bound, 2e-5) << "a bound this wide would find nothing";
        for (const spec::Form form : kForms) {
          EXPECT_LE(relative_error(replay(p, options, form).impulse, reference.impulse), bound);
        }
      }
    }
  }
}

TEST_P(ShippedProblem, HasTheSameTrueResidualInFloatAndDouble) {
  const RowProblem p = testing::shipped(GetParam());
  const Replay run = replay(p, {}, spec::Form::kRate);
  const State state = solve_rows(p, {});
  const double expected = true_residual(p, state.impulse, state.velocity);
  EXPECT_NEAR(true_residual(p, run.impulse, run.velocity_change), expected, 1e-4 * expected);
}

INSTANTIATE_TEST_SUITE_P(Shipped, ShippedProblem, ::testing::ValuesIn(testing::kShipped),
                         [](const auto& test) { return std::string(test.param); });

TEST(StatedBound, IsNarrowEnoughToTellTheFrictionRulesApart) {
  const RowProblem p = testing::shipped("wall10_f012");
  SolveOptions options;
  const State reference = solve_rows(p, options);
  options.friction = FrictionRule::kClamp;
  const double error =
      relative_error(replay(p, options, spec::Form::kRate).impulse, reference.impulse);
  EXPECT_GT(error, 100 * float_error_bound(p, reference, options.sweeps));
}

TEST(Replay, StopsAtTheRowThatFaultsAndLeavesItAlone) {
  RowProblem p = testing::empty_problem({1.0F, 1.0F});
  testing::add_row(p, {0, -1, testing::along_y(), -3.0F});
  testing::add_row(p, {1, -1, testing::along_y(), -3.0F});
  p.rate_bias[1] = INFINITY;
  const Replay run =
      replay(p, {5, Start::kCold, FrictionRule::kClamp, Projection::kMed, {}}, spec::Form::kRate);
  EXPECT_EQ(run.fault_row, std::optional<std::size_t>(1));
  EXPECT_EQ(run.impulse, (std::vector<float>{3.0F, 0.0F}));
  EXPECT_EQ(run.velocity_change[7], 0.0F);
}

TEST(Replay, HasNoMaxProjectionInTheImpulseForm) {
  SolveOptions options;
  options.projection = Projection::kMax;
  EXPECT_THROW(replay(testing::shipped("ball_f110"), options, spec::Form::kImpulse),
               std::invalid_argument);
}

TEST(RelativeError, IsInfiniteForWhatIsNotANumber) {
  EXPECT_EQ(relative_error({1.0F, NAN}, {1.0, 2.0}), INFINITY);
  EXPECT_EQ(relative_error({0.0F}, {0.0}), 0.0);
  EXPECT_DOUBLE_EQ(relative_error({1.0F, 3.0F}, {1.0, 4.0}), 0.25);
}

}  // namespace
}  // namespace ppu::model
