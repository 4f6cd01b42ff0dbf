// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The true residual: US 7,079,145 (4)-(7), evaluated after the last sweep.
#include "driver/solve/residual.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "model/arithmetic/row_arithmetic.hpp"

namespace ppu::driver {
namespace {

constexpr std::size_t kHalf = 6;

/// J_a . v_a or J_b . v_b.
double half_dot(const float* jacobian, const float* velocity) {
  double sum = 0;
  for (std::size_t i = 0; i < kHalf; ++i) sum += double{jacobian[i]} * double{velocity[i]};
  return sum;
}

double row_residual(const ppu_problem& problem, std::size_t row, const float* impulse,
                    const float* velocity_change) {
  const float x = impulse[row];
  float lower = problem.lower[row];
  float upper = problem.upper[row];
  if (const std::int32_t parent = problem.parent[row]; parent >= 0) {
    upper = problem.friction[row] * std::max(0.0F, impulse[parent]);
    lower = -upper;
  }
  if (lower == upper) return 0;
  double u = double{problem.rate_bias[row]} + double{problem.compliance[row]} * double{x};
  if (problem.impulse_form) {
    if (problem.inv_diagonal[row] == 0) return 0;  // Nothing of the row was left.
    u = (double{problem.compliance[row]} * double{x} - double{problem.rate_bias[row]}) /
        double{problem.inv_diagonal[row]};
  }
  for (std::size_t half = 0; half < 2; ++half) {
    const std::int32_t body = problem.body[row][half];
    if (body < 0) continue;
    u += half_dot(problem.jacobian + (2 * row + half) * kHalf,
                  velocity_change + static_cast<std::size_t>(body) * kHalf);
  }
  // A state that is no number solves nothing, whatever its bounds.
  if (std::isnan(u)) return std::numeric_limits<double>::infinity();
  return model::boxing_violation(u, double{x}, double{lower}, double{upper});
}

}  // namespace

double true_residual(const ppu_problem& problem, const float* impulse,
                     const float* velocity_change) {
  double largest = 0;
  for (std::size_t row = 0; row < problem.row_count; ++row)
    largest = std::max(largest, row_residual(problem, row, impulse, velocity_change));
  return largest;
}

}  // namespace ppu::driver
