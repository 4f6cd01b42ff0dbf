// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Sweeps on the host, and the correction problem of a device.
#include "model/methods/sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace ppu::model::methods {
namespace {

/// Bounds of a float32 problem are finite.
float float_bound(double bound) {
  const double largest = static_cast<double>(std::numeric_limits<float>::max());
  return static_cast<float>(std::min(std::max(bound, -largest), largest));
}

}  // namespace

void HostSweeps::sweep(std::vector<double>& impulse, int count) {
  std::vector<double> v = rows_.transposed(impulse);
  for (int k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < rows_.rows(); ++i) {
      if (rows_.diagonal[i] == 0) continue;
      const double x = impulse[i];
      const double u = rows_.bias[i] + rows_.row_dot(i, v) + rows_.compliance[i] * x;
      impulse[i] = rows_.clamped(i, x - u / rows_.diagonal[i]);
      rows_.add_row(i, impulse[i] - x, v);
    }
  }
}

RowProblem correction_problem(const RowProblem& problem, const ScaledRows& rows,
                              const std::vector<double>& impulse) {
  RowProblem correction = problem;
  correction.reference.reset();
  correction.solution.reset();
  const std::vector<double> u = rows.rates(impulse);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    correction.rate_bias[i] = static_cast<float>(u[i]);
    correction.lower[i] = float_bound(rows.lower[i] - impulse[i]);
    correction.upper[i] = float_bound(rows.upper[i] - impulse[i]);
    correction.impulse[i] = 0;
  }
  std::fill(correction.velocity_change.begin(), correction.velocity_change.end(), 0.0F);
  return correction;
}

void CorrectionSweeps::sweep(std::vector<double>& impulse, int count) {
  const RowProblem correction = correction_problem(problem_, rows_, impulse);
  const std::vector<float> y = run_(correction, count);
  if (y.size() != impulse.size()) {
    throw MethodFailure("sweeps: found " + std::to_string(y.size()) + " impulses, expected " +
                        std::to_string(impulse.size()));
  }
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!std::isfinite(y[i])) {
      throw MethodFailure("sweeps: found an impulse that is not finite in row " +
                          std::to_string(i) + ", expected numbers");
    }
    // At the rounded bound means at the bound.
    const double next = impulse[i] + static_cast<double>(y[i]);
    impulse[i] = y[i] <= correction.lower[i]   ? rows_.lower[i]
                 : y[i] >= correction.upper[i] ? rows_.upper[i]
                                               : rows_.clamped(i, next);
  }
}

}  // namespace ppu::model::methods
