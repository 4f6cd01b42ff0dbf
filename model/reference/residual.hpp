// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// How far a state is from solving its problem, in double precision, for float and double states.
#pragma once

#include <vector>

#include "model/problem/row_problem.hpp"

namespace ppu::model {

/// The true residual of each row, in the unit of u: 0 where lo = hi, max(0, -u) at lo, max(0, u) at
/// hi, else |u|, at the final state and with its friction bounds. The bounds mu*max(0, parent) are
/// rounded as the state is (`Scalar`), so that an impulse clamped to them is seen to be at them.
template <class Scalar>
std::vector<double> row_residuals(const RowProblem& problem, const std::vector<Scalar>& impulse,
                                  const std::vector<Scalar>& velocity);

/// The largest of `row_residuals`.
template <class Scalar>
double true_residual(const RowProblem& problem, const std::vector<Scalar>& impulse,
                     const std::vector<Scalar>& velocity);

/// v = sum of M^-1 J^T x over all rows, the coupling invariant of US 7,079,145 eq. (11).
template <class Scalar>
std::vector<double> coupled_velocity(const RowProblem& problem, const std::vector<Scalar>& impulse);

/// max |v - coupled_velocity(x)|: how far the incremental updates have drifted.
template <class Scalar>
double coupling_error(const RowProblem& problem, const std::vector<Scalar>& impulse,
                      const std::vector<Scalar>& velocity);

}  // namespace ppu::model
