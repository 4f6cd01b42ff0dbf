// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the double-precision solvers share: start, order, bounds and projection of a row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>

#include "model/reference/reference.hpp"

namespace ppu::model {

inline State start_state(const RowProblem& problem, Start start) {
  State state{std::vector<double>(problem.rows()), std::vector<double>(6 * problem.bodies())};
  if (start == Start::kWarm) {
    state.impulse.assign(problem.impulse.begin(), problem.impulse.end());
    state.velocity.assign(problem.velocity_change.begin(), problem.velocity_change.end());
  }
  return state;
}

/// Rows in the order they are visited.
inline std::vector<std::size_t> visit_order(const RowProblem& problem,
                                            const SolveOptions& options) {
  std::vector<std::size_t> order(problem.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (options.order.empty()) return order;
  std::vector<std::size_t> given(options.order.begin(), options.order.end());
  std::vector<std::size_t> sorted = given;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != order) {
    throw std::invalid_argument("the row order is not a permutation of the problem's rows");
  }
  return given;
}

template <class Scalar>
struct Bounds {
  Scalar lower;
  Scalar upper;
};

/// Bounds of row i: its own, or those its parent's impulse gives.
template <class Scalar>
Bounds<Scalar> bounds_of(const RowProblem& problem, const std::vector<Scalar>& impulse,
                         std::size_t i) {
  if (problem.parent[i] < 0) return {problem.lower[i], problem.upper[i]};
  const Scalar parent = impulse[static_cast<std::size_t>(problem.parent[i])];
  const Scalar reach = static_cast<Scalar>(problem.friction[i]) * std::max(Scalar{0}, parent);
  return {-reach, reach};
}

/// The `skip` rule holds the row.
inline bool is_skipped(const RowProblem& problem, const SolveOptions& options,
                       const std::vector<double>& impulse, std::size_t i) {
  return options.friction == FrictionRule::kSkip && problem.parent[i] >= 0 &&
         !(impulse[static_cast<std::size_t>(problem.parent[i])] > 0);
}

/// The impulse t put back into the bounds of row i.
inline double project(const RowProblem& problem, const SolveOptions& options,
                      const std::vector<double>& impulse, std::size_t i, double t) {
  if (options.projection == Projection::kMax) return std::max(0.0, t);
  const auto bounds = bounds_of(problem, impulse, i);
  return std::min(std::max(t, bounds.lower), bounds.upper);
}

/// u_i = b_i + J_a . v_a + J_b . v_b + cfm_i x_i.
template <class Scalar>
double rate_of(const RowProblem& problem, const std::vector<Scalar>& impulse,
               const std::vector<Scalar>& velocity, std::size_t i) {
  double u = static_cast<double>(problem.rate_bias[i]) +
             static_cast<double>(problem.compliance[i]) * static_cast<double>(impulse[i]);
  for (std::size_t half = 0; half < 2; ++half) {
    if (problem.body[i][half] < 0) continue;
    const float* jacobian = &problem.jacobian[12 * i + 6 * half];
    const Scalar* v = &velocity[6 * static_cast<std::size_t>(problem.body[i][half])];
    for (std::size_t k = 0; k < 6; ++k) {
      u += static_cast<double>(jacobian[k]) * static_cast<double>(v[k]);
    }
  }
  return u;
}

/// v += dx JM_i, both bodies.
inline void add_impulse(const RowProblem& problem, std::size_t i, double dx,
                        std::vector<double>& velocity) {
  for (std::size_t half = 0; half < 2; ++half) {
    if (problem.body[i][half] < 0) continue;
    const float* column = &problem.inv_mass_jacobian[12 * i + 6 * half];
    double* v = &velocity[6 * static_cast<std::size_t>(problem.body[i][half])];
    for (std::size_t k = 0; k < 6; ++k) v[k] += dx * static_cast<double>(column[k]);
  }
}

}  // namespace ppu::model
