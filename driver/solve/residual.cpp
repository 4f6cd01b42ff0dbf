// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The true residual, evaluated after the last sweep.
#include "driver/solve/residual.hpp"

#include <algorithm>
#include <cstddef>

#include "model/arithmetic/row_residual.hpp"

namespace ppu::driver {
namespace {

double residual_of(const ppu_problem& problem, std::size_t row, const float* impulse,
                   const float* velocity_change) {
  if (!problem.impulse_form)
    return model::row_residual(problem, impulse, row,
                               model::rate_of(problem, impulse, velocity_change, row));
  const double d = double{problem.inv_diagonal[row]};
  if (d == 0) return 0;  // Nothing of the row was left.
  const double soft =
      double{problem.compliance[row]} * double{impulse[row]} - double{problem.rate_bias[row]};
  return model::row_residual(problem, impulse, row,
                             model::add_motion(soft / d, problem, velocity_change, row));
}

}  // namespace

double true_residual(const ppu_problem& problem, const float* impulse,
                     const float* velocity_change) {
  double largest = 0;
  for (std::size_t row = 0; row < problem.row_count; ++row)
    largest = std::max(largest, residual_of(problem, row, impulse, velocity_change));
  return largest;
}

}  // namespace ppu::driver
