// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The robot on four legs: its rows are consistent, it stands, and every back end solves it alike.
#include "sim/problem/stance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/reference/comparison.hpp"
#include "model/reference/reference.hpp"
#include "model/reference/replay.hpp"
#include "model/reference/residual.hpp"
#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/problems.hpp"
#include "tests/driver/support/solving.hpp"

namespace ppu::sim {
namespace {

using driver::test::Answer;
using driver::test::view;

Answer solve(const Device& device, const model::RowProblem& problem, ppu_order order,
             std::uint32_t sweeps) {
  const Program program = Program::load(device, "boxed");
  ppu_solve_def def = driver::test::def_of(program);
  def.order = order;
  def.max_sweeps = sweeps;
  Answer answer = driver::test::solve(device, view(problem), def);
  EXPECT_EQ(answer.result, PPU_OK) << ppu_last_error();
  return answer;
}

TEST(Stance, IsAValidProblemOfFourJointsAndFourContacts) {
  const model::RowProblem stance = make_stance();
  EXPECT_NO_THROW(model::validate(stance, "stance"));
  EXPECT_EQ(stance.rows(), 24U);
  EXPECT_EQ(stance.bodies(), 5U);
  EXPECT_EQ(std::count(stance.kind.begin(), stance.kind.end(), model::RowKind::kJoint), 4 * 3);
  EXPECT_EQ(std::count(stance.kind.begin(), stance.kind.end(), model::RowKind::kContact), 4);
  for (std::size_t row = 0; row < stance.rows(); ++row) {
    double diagonal = 0;
    double bias = 0;
    for (std::size_t k = 0; k < 12; ++k) {
      const auto j = double{stance.jacobian[12 * row + k]};
      diagonal += j * double{stance.inv_mass_jacobian[12 * row + k]};
      const std::int32_t body = stance.body[row][k / 6];
      if (body >= 0)
        bias += j * double{stance.velocity_free[6 * static_cast<std::size_t>(body) + k % 6]};
    }
    EXPECT_NEAR(diagonal * double{stance.inv_diagonal[row]}, 1, 1e-6) << row;
    EXPECT_NEAR(double{stance.rate_bias[row]}, bias, 1e-6) << row;
  }
}

TEST(Stance, TurnsAsAWholeWithoutPullingAtItsJoints) {
  const model::RowProblem stance = make_stance();
  // One radian per second around z through the ground: the point at (x, y) moves by (-y, x).
  const auto rate = [&stance](std::size_t row) {
    double sum = 0;
    for (std::size_t side = 0; side < 2; ++side) {
      if (stance.body[row][side] < 0) continue;
      const auto body = static_cast<std::size_t>(stance.body[row][side]);
      const float* jacobian = &stance.jacobian[12 * row + 6 * side];
      sum += double{jacobian[1]} * double{stance.position[3 * body]} -
             double{jacobian[0]} * double{stance.position[3 * body + 1]} + double{jacobian[5]};
    }
    return sum;
  };
  for (std::size_t row = 0; row < stance.rows(); ++row) {
    if (stance.kind[row] != model::RowKind::kContact) {
      EXPECT_NEAR(rate(row), 0, 1e-6) << row;
      continue;
    }
    // A foot leaves the ground on one side and goes into it on the other.
    const auto leg = static_cast<std::size_t>(stance.body[row][0]);
    EXPECT_GT(rate(row) * double{stance.position[3 * leg]}, 0.1) << row;
  }
}

TEST(Stance, CarriesItsWeightAndComesToRestAsTheReferenceDoes) {
  const model::RowProblem stance = make_stance();
  const Device device = driver::test::open("functional");
  model::SolveOptions options;
  options.friction = model::FrictionRule::kClamp;
  std::vector<double> residuals;
  for (const int sweeps : {1, 10, 100, 1000}) {
    const Answer answer =
        solve(device, stance, PPU_ORDER_SCHEDULED, static_cast<std::uint32_t>(sweeps));
    options.sweeps = sweeps;
    const model::State exact = model::solve_rows(stance, options);
    EXPECT_LE(model::relative_error(answer.impulse, exact.impulse),
              model::float_error_bound(stance, exact, sweeps));
    residuals.push_back(model::true_residual(stance, exact.impulse, exact.velocity));
    if (residuals.size() > 1) {
      EXPECT_LT(residuals.back(), residuals[residuals.size() - 2] / 2) << sweeps;
    }
  }
  EXPECT_LT(residuals.back(), 1e-4);
  // m g dt of 20 kg and four times 2.5 kg.
  double pushes = 0;
  const Answer answer = solve(device, stance, PPU_ORDER_SCHEDULED, 1000);
  for (std::size_t row = 0; row < stance.rows(); ++row)
    if (stance.kind[row] == model::RowKind::kContact) pushes += double{answer.impulse[row]};
  EXPECT_NEAR(pushes, 30 * 9.81 / 60, 0.01);
}

class StanceBits : public testing::TestWithParam<std::string> {};

TEST_P(StanceBits, AreThoseOfThePlainSolver) {
  const model::RowProblem stance = make_stance();
  model::SolveOptions options;
  options.sweeps = 25;
  options.friction = model::FrictionRule::kClamp;
  const model::Replay plain = model::replay(stance, options, spec::Form::kRate);
  const Device device = driver::test::open(GetParam());
  for (const ppu_order order : {PPU_ORDER_ENGINE, PPU_ORDER_SCHEDULED}) {
    const Answer answer = solve(device, stance, order, 25);
    EXPECT_EQ(answer.hash(),
              ppu_state_hash(plain.impulse.data(), plain.impulse.size(),
                             plain.velocity_change.data(), plain.velocity_change.size() / 6));
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, StanceBits, testing::ValuesIn(driver::test::backends()),
                         [](const auto& param) { return driver::test::name_of(param.param); });

}  // namespace
}  // namespace ppu::sim
