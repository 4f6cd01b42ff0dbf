// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// How far a row is from solved at a state, US 7,079,145 (4)-(7), in double precision. A `Problem`
// has the arrays of a row problem under their names, as RowProblem and ppu_problem do; impulses and
// velocity changes are arrays of float or double.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "model/arithmetic/row_arithmetic.hpp"

namespace ppu::model {

template <class Scalar>
struct Bounds {
  Scalar lower;
  Scalar upper;
};

/// Bounds of row i: its own, or those its parent's impulse gives, rounded as impulses are.
template <class Problem, class Impulses>
auto bounds_of(const Problem& problem, const Impulses& impulse, std::size_t i) {
  using Scalar = std::decay_t<decltype(impulse[i])>;
  if (problem.parent[i] < 0)
    return Bounds<Scalar>{Scalar{problem.lower[i]}, Scalar{problem.upper[i]}};
  const Scalar parent = impulse[static_cast<std::size_t>(problem.parent[i])];
  const Scalar reach = Scalar{problem.friction[i]} * std::max(Scalar{0}, parent);
  return Bounds<Scalar>{-reach, reach};
}

/// u + J_a . v_a + J_b . v_b of row i.
template <class Problem, class Velocities>
double add_motion(double u, const Problem& problem, const Velocities& velocity, std::size_t i) {
  for (std::size_t half = 0; half < 2; ++half) {
    if (problem.body[i][half] < 0) continue;
    const auto* const jacobian = &problem.jacobian[12 * i + 6 * half];
    const auto* const v = &velocity[6 * static_cast<std::size_t>(problem.body[i][half])];
    double sum = 0;
    for (std::size_t k = 0; k < 6; ++k) sum += double{jacobian[k]} * double{v[k]};
    u += sum;
  }
  return u;
}

/// u_i = b_i + cfm_i x_i + J_a . v_a + J_b . v_b.
template <class Problem, class Impulses, class Velocities>
double rate_of(const Problem& problem, const Impulses& impulse, const Velocities& velocity,
               std::size_t i) {
  const double u =
      double{problem.rate_bias[i]} + double{problem.compliance[i]} * double{impulse[i]};
  return add_motion(u, problem, velocity, i);
}

/// Residual of row i where its rate is u: 0 where lo = hi, max(0, -u) at lo, max(0, u) at hi, else
/// |u|; infinite where u is not a number.
template <class Problem, class Impulses>
double row_residual(const Problem& problem, const Impulses& impulse, std::size_t i, double u) {
  const auto bounds = bounds_of(problem, impulse, i);
  // A skipped row may keep an impulse outside its zero-width bounds; it counts as little.
  if (bounds.lower == bounds.upper) return 0;
  // A state that is no number solves nothing, whatever its bounds.
  if (std::isnan(u)) return std::numeric_limits<double>::infinity();
  return boxing_violation(u, double{impulse[i]}, double{bounds.lower}, double{bounds.upper});
}

}  // namespace ppu::model
