// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Error of a float32 run against the double reference, and its bound.
#include "model/reference/comparison.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace ppu::model {
namespace {

double largest_magnitude(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::fabs(value));
  return largest;
}

}  // namespace

double relative_error(const std::vector<float>& x, const std::vector<double>& reference) {
  if (x.size() != reference.size()) throw std::invalid_argument("solutions of different sizes");
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double error = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double difference = std::fabs(static_cast<double>(x[i]) - reference[i]);
    if (!std::isfinite(difference)) return kInfinity;
    error = std::max(error, difference);
  }
  return error == 0 ? 0 : error / largest_magnitude(reference);
}

double rate_amplification(const RowProblem& problem, const State& reference) {
  double largest = 0;
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    double terms = std::fabs(static_cast<double>(problem.rate_bias[i])) +
                   std::fabs(static_cast<double>(problem.compliance[i]) * reference.impulse[i]);
    for (std::size_t k = 0; k < 12; ++k) {
      const std::int32_t body = problem.body[i][k / 6];
      if (body < 0) continue;
      const double v = reference.velocity[6 * static_cast<std::size_t>(body) + k % 6];
      terms += std::fabs(static_cast<double>(problem.jacobian[12 * i + k]) * v);
    }
    largest = std::max(largest, static_cast<double>(problem.inv_diagonal[i]) * terms);
  }
  const double scale = largest_magnitude(reference.impulse);
  return scale == 0 ? 0 : largest / scale;
}

double float_error_bound(const RowProblem& problem, const State& reference, int sweeps) {
  constexpr double kEpsilon = std::numeric_limits<float>::epsilon();
  return kEpsilon * (sweeps + rate_amplification(problem, reference));
}

}  // namespace ppu::model
