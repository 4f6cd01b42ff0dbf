// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Rows in the impulse form: the bits of b and cfm that the device computes with are those that were
// handed over. Rows without bodies tell: the program `impulse` makes x' = x + (b - cfm*x) of them,
// so that x' is b from x = 0, and cfm - 1, exact for cfm from 0.5 to 2, from x = -1 and b = 0.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/bits/float_bits.hpp"
#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/problems.hpp"
#include "tests/driver/support/solving.hpp"

namespace ppu::driver {
namespace {

constexpr float kUnbounded = std::numeric_limits<float>::infinity();
/// As if b and cfm were scaled by it, were that done.
constexpr float kInvDiagonal = 0.3F;

model::RowProblem free_rows(std::size_t count) {
  model::RowProblem problem;
  problem.body.assign(count, {-1, -1});
  problem.kind.assign(count, model::RowKind::kContact);
  problem.parent.assign(count, -1);
  problem.jacobian.assign(12 * count, 0.0F);
  problem.inv_mass_jacobian = problem.jacobian;
  problem.inv_diagonal.assign(count, kInvDiagonal);
  problem.lower.assign(count, -kUnbounded);
  problem.upper.assign(count, kUnbounded);
  for (auto* zeros : {&problem.rate_bias, &problem.friction, &problem.compliance, &problem.impulse})
    zeros->assign(count, 0.0F);
  return problem;
}

/// Finite, of any exponent, and the ends of the range.
std::vector<float> any_numbers() {
  using Limits = std::numeric_limits<float>;
  std::vector<float> numbers = {Limits::max(), Limits::lowest(), Limits::min(),
                                Limits::denorm_min(), -Limits::denorm_min()};
  std::mt19937 random(1);
  while (numbers.size() < 500) {
    const auto bits = static_cast<std::uint32_t>(random());
    float number;
    std::memcpy(&number, &bits, sizeof number);
    if (std::isfinite(number)) numbers.push_back(number);
  }
  return numbers;
}

/// From 0.75 to 1.25: times 1.5 they are still between 0.5 and 2.
std::vector<float> near_one() {
  std::vector<float> numbers;
  std::mt19937 random(2);
  for (int i = 0; i < 500; ++i)
    numbers.push_back(0.75F + static_cast<float>(random() % (1U << 23U)) * 0x1p-24F);
  return numbers;
}

class ImpulseForm : public testing::TestWithParam<std::string> {
 protected:
  /// The impulses after one sweep.
  std::vector<float> sweep_once(const model::RowProblem& rows, float relaxation) {
    ppu_problem problem = test::view(rows);
    problem.impulse_form = true;
    ppu_solve_def def = test::def_of(program_);
    def.max_sweeps = 1;
    def.relaxation = relaxation;
    const test::Answer answer = test::solve(device_, problem, def);
    EXPECT_EQ(answer.result, PPU_OK) << ppu_last_error();
    return answer.impulse;
  }

  const Device device_ = test::open(GetParam());
  const Program program_ = Program::load(device_, "impulse");
};

TEST_P(ImpulseForm, TheBitsOfBReachTheDevice) {
  const std::vector<float> b = any_numbers();
  model::RowProblem rows = free_rows(b.size());
  rows.rate_bias = b;
  const std::vector<float> found = sweep_once(rows, 1);
  for (std::size_t i = 0; i < b.size(); ++i) EXPECT_EQ(bits_of(found[i]), bits_of(b[i])) << b[i];
}

TEST_P(ImpulseForm, TheBitsOfCfmReachTheDevice) {
  const std::vector<float> cfm = near_one();
  model::RowProblem rows = free_rows(cfm.size());
  rows.compliance = cfm;
  rows.impulse.assign(cfm.size(), -1.0F);
  const std::vector<float> found = sweep_once(rows, 1);
  for (std::size_t i = 0; i < cfm.size(); ++i) EXPECT_EQ(found[i], cfm[i] - 1) << cfm[i];
}

TEST_P(ImpulseForm, RelaxationMultipliesBoth) {
  const std::vector<float> numbers = near_one();
  model::RowProblem biased = free_rows(numbers.size());
  biased.rate_bias = numbers;
  model::RowProblem soft = free_rows(numbers.size());
  soft.compliance = numbers;
  soft.impulse.assign(numbers.size(), -1.0F);
  const std::vector<float> b = sweep_once(biased, 1.5F);
  const std::vector<float> cfm_less_one = sweep_once(soft, 1.5F);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_EQ(b[i], numbers[i] * 1.5F);
    EXPECT_EQ(cfm_less_one[i], numbers[i] * 1.5F - 1);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ImpulseForm, testing::ValuesIn(test::backends()),
                         [](const auto& each) { return test::name_of(each.param); });

}  // namespace
}  // namespace ppu::driver
