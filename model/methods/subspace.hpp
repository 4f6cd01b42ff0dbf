// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Projected Gauss-Seidel with subspace minimization: Morales, Nocedal and Smelyanskiy, "An
// algorithm for the fast solution of symmetric linear complementarity problems" (2008),
// Algorithm 3.1.
//
// Rounds of: k_gs sweeps (on any device, see sweeps.hpp) to z^0; then, at most k_sm times, the rows
// F inside their bounds are solved for with the others held,
//
//     A_FF z_F = -(b_F + A_FA z_A)                                               (3.3), p. 7
//
// and the solution is projected into the bounds, (3.4); rows that meet one leave F. The safeguard
// z^b = z^0 + alpha (z^1 - z^0), (3.5), goes from z^0 towards the first solution up to the first
// bound; it replaces the result where its objective (1.4) is lower. End: r_1 of (2.7).
//
// The paper's A is positive definite. Contacts of boxes make A_FF singular, and (3.3) may have no
// solution. So each round minimizes with a proximal term, 1/2 |z - z^0|^2 weighed by `proximal`
// times the diagonal of A: it keeps A_FF positive definite, and vanishes where rounds repeat.
// All that the host does is in double precision.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "model/methods/row_system.hpp"
#include "model/methods/scaled_rows.hpp"
#include "model/methods/sweeps.hpp"

namespace ppu::model::methods {

/// The weight of the proximal term, in parts of the diagonal of A, from round to round. All 0 is
/// the paper's method, for a positive definite A.
struct Proximal {
  double first = 1e-2;
  double growth = 10;  ///< After a round that falls back.
  double decay = 3;    ///< After one that does not.
  double least = 1e-9, most = 1e-2;
};

/// Compliance in every row makes A positive definite: the term is small then, and only grows where
/// rounds fall back. Else A may be singular, and the term is large at first.
Proximal proximal_for(const ScaledRows& rows);

struct SubspaceOptions {
  int sweeps_per_round = 5;  ///< k_gs: 2 to 5 in the paper, which uses 5.
  int steps_per_round = 3;   ///< k_sm: 3 to 5 in the paper, which uses 3.
  int max_rounds = 200;
  double tolerance = 1e-8;           ///< Of r_1, (2.7).
  double active = 0;                 ///< "tol" of Algorithm 3.1, N s: nearer to a bound is at it.
  std::optional<Proximal> proximal;  ///< Empty: proximal_for() the rows.
  SystemOptions system;

  SubspaceOptions() { system.factor.ordering = Ordering::kMinimumDegree; }
};

struct SubspaceRound {
  std::size_t free_rows = 0;  ///< Of the first system of the round.
  int factorizations = 0;
  bool fell_back = false;  ///< To z^b.
  double proximal = 0;
  double residual = 0;  ///< r_1 after the round.
};

struct SubspaceSolution {
  std::vector<double> impulse;  ///< m, N s.
  Residual residual;
  bool reached = false;
  int sweeps = 0;
  int factorizations = 0;           ///< "# Chol. fact." of Tables 3 and 4.
  int fallbacks = 0;                ///< Rounds that took z^b.
  std::size_t factor_nonzeros = 0;  ///< Largest: "nz(L)" of Table 3.
  std::vector<SubspaceRound> rounds;
};

/// From `start` put into its bounds (m; empty: zero). Throws MethodFailure where numbers are not
/// finite or the systems not positive definite, and std::invalid_argument for a start of another
/// size or options that make no sense.
SubspaceSolution solve_subspace(const ScaledRows& rows, Sweeps& sweeps,
                                const SubspaceOptions& options, std::vector<double> start = {});

}  // namespace ppu::model::methods
