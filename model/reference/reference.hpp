// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The double-precision reference: projected Gauss-Seidel as US 7,079,145 develops it, from the
// explicit system matrix (Pseudo-Code Examples 1-3) to compressed rows (Examples 4-6) and scaled
// bodies (Example 7).
//
// All of them take one step per row, f_i' = project(f_i - d_i u_i), and differ in how they get the
// rate u_i = b_i + (A f)_i. d_i is the problem's inv_diagonal: 1/a_ii as the engine rounded it,
// with its relaxation factor. Compliance is part of A: A = J M^-1 J^T + diag(cfm).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/problem/row_problem.hpp"

namespace ppu::model {

enum class FrictionRule {
  kClamp,  ///< Bounds of a row with a parent: +-mu*max(0, parent impulse).
  kSkip    ///< The same, but the row is left alone while its parent's impulse is <= 0.
};

enum class Start {
  kCold,  ///< From zero.
  kWarm   ///< From the problem's impulse and velocity_change.
};

enum class Projection {
  kMax,  ///< max(0, t): Examples 1-4, no other bounds.
  kMed   ///< med(lo, t, hi): Example 5, with friction bounds for rows with a parent.
};

struct SolveOptions {
  int sweeps = 10;
  Start start = Start::kWarm;
  FrictionRule friction = FrictionRule::kSkip;
  Projection projection = Projection::kMed;
  std::vector<std::uint32_t> order;  ///< Slot -> row, a permutation of the rows; empty: file order.
};

/// Impulses of m rows and velocity changes of n bodies (n x 6).
struct State {
  std::vector<double> impulse;
  std::vector<double> velocity;
};

/// How Examples 1-3 get the rate of a row.
enum class Explicit {
  kDenseMatrix,   ///< Example 1, eq. (9): b + (A f), A stored in full.
  kSparseMatrix,  ///< Example 1, eq. (9): the same with a sparse A.
  kFullVelocity,  ///< Example 2, eq. (12), (13): b + J v, v = M^-1 J^T f made anew after each row.
  kStepVelocity   ///< Example 3, eq. (14), (15): b + J v, v changed by the step of each row.
};

/// Examples 1-3; for small problems (time and, for kDenseMatrix, memory grow with m squared).
State solve_explicit(const RowProblem& problem, const SolveOptions& options, Explicit method);

/// Examples 4 and 5 over compressed rows, eq. (20)-(22) and (24)-(25).
State solve_rows(const RowProblem& problem, const SolveOptions& options);

/// Rows of each sweep, one after the other.
using Visits = std::vector<std::vector<std::size_t>>;

/// Example 5 over the rows of `visits`: the arithmetic of programs that decide in float32 which
/// rows they visit, see replay.hpp. The order and the sweeps of `options` are not read.
State solve_visits(const RowProblem& problem, const SolveOptions& options, const Visits& visits);

/// Example 5 with Nesterov's extrapolation between the sweeps: sweep s + 1 starts from
/// y = x + factors[s]*(x - the x before), v with it, or from x itself where the factor is 0; as
/// many sweeps as factors. Bounds of friction rows follow the parent's x. The sweeps of `options`
/// are not read; throws std::invalid_argument for FrictionRule::kSkip.
State solve_leading(const RowProblem& problem, const SolveOptions& options,
                    const std::vector<float>& factors);

/// Sweep s visits, in the order of `options`, the rows i with s < sweeps_of_row[i].
Visits sweeps_by_row(const RowProblem& problem, const SolveOptions& options,
                     const std::vector<std::uint32_t>& sweeps_of_row);

/// Example 7, eq. (26)-(31), with M^-1/2 formed from /bodies/inv_mass and inv_inertia. A body that
/// cannot move loses the velocity it starts with. Throws RowProblemError where masses are missing.
State solve_reduced(const RowProblem& problem, const SolveOptions& options);

struct ThresholdSolve {
  State state;
  int sweeps = 0;        ///< Sweeps made.
  double max_u = 0;      ///< Of the last pass, eq. (23).
  bool reached = false;  ///< max_u <= Thres.
};

/// Example 6: a pass that only looks, then sweeps while Thres < max_u, at most `options.sweeps`.
/// When a sweep passes, the first pass is run again and decides.
ThresholdSolve solve_to_threshold(const RowProblem& problem, const SolveOptions& options,
                                  double threshold);

/// The problem as a boxed LCP without parents: friction bounds frozen at mu*max(0, impulse of the
/// parent).
RowProblem freeze_friction(const RowProblem& problem, const std::vector<float>& impulse);

}  // namespace ppu::model
