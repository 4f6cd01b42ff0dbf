// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Friction whose bounds follow the impulses of the contacts, for methods that solve boxed problems
// with fixed bounds: an outer loop. Bounds are frozen at mu max(0, impulse of the parent), the
// boxed problem is solved, the bounds are frozen again at its impulses, and so on until they stand
// still. A fixed point is a solution of the coupled problem. That there is one, or that the loop
// finds it, no theorem says: strong friction may make it go round in circles, and `reached` says if
// it did not.
#pragma once

#include <functional>
#include <vector>

#include "model/problem/row_problem.hpp"

namespace ppu::model::methods {

/// The m impulses that solve `frozen`, a problem without parents, given those of the round before.
using SolveFrozen =
    std::function<std::vector<double>(const RowProblem& frozen, const std::vector<double>& start)>;

struct CoupledOptions {
  int max_rounds = 50;
  double tolerance = 1e-6;  ///< Of the largest change of a bound, as a part of max|x|.
};

struct CoupledSolution {
  std::vector<double> impulse;  ///< m, N s.
  double change = 0;            ///< Of the last round, as the tolerance takes it.
  int rounds = 0;               ///< Boxed problems solved.
  bool reached = false;
};

/// From the bounds that `start` gives (m; empty: the problem's warm start). Throws RowProblemError
/// for a problem that is not what the schema says, std::invalid_argument for a start of another
/// size, and what `solve` throws.
CoupledSolution solve_coupled(const RowProblem& problem, const SolveFrozen& solve,
                              const CoupledOptions& options, std::vector<double> start = {});

}  // namespace ppu::model::methods
