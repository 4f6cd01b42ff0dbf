// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The converged solution of a boxed LCP, for small problems: what more sweeps would lead to.
#pragma once

#include "model/problem/row_problem.hpp"
#include "model/reference/reference.hpp"

namespace ppu::model {

/// How far a state is from the conditions of US 7,079,145 (3)-(7).
struct BoxingError {
  double bounds = 0;           ///< How far an impulse is outside lo <= x <= hi.
  double complementarity = 0;  ///< true_residual().
};

struct ConvergedSolution {
  State state;
  BoxingError error;
  int rounds = 0;          ///< Rounds of sweeps and subspace minimization.
  int factorizations = 0;  ///< Of the free rows' part of A.
  bool reached = false;    ///< error.complementarity <= tolerance.
};

/// Minimizes 1/2 x'Ax + b'x over the bounds in rounds: a few sweeps, then the minimum over the rows
/// the sweeps left inside their bounds. A is formed from /bodies/inv_mass and inv_inertia, so that
/// it is symmetric and the problem convex (the inv_mass_jacobian of a file is rounded). `problem`
/// has no parents: see freeze_friction(). Memory grows with m squared. Throws RowProblemError where
/// parents are left or the masses are missing.
ConvergedSolution solve_to_convergence(const RowProblem& problem, double tolerance = 1e-10,
                                       int max_rounds = 200);

}  // namespace ppu::model
