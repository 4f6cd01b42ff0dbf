// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the tables of the two papers hold, of one boxed problem: sweeps of PGS-SM on a device, all
// else in double precision on the host. [M] Morales, Nocedal, Smelyanskiy (2008); [F] Ferris,
// Wathen, Armand (2007).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/methods/scaled_rows.hpp"
#include "model/problem/row_problem.hpp"
#include "sim/solve/solver.hpp"

namespace ppu::sim {

/// [M] Tables 1 and 2: projected Gauss-Seidel alone, from zero.
struct PlainSweeps {
  static constexpr std::array<double, 3> kLevels{1e-1, 1e-2, 1e-8};     ///< Of r_1, (2.7).
  static constexpr std::array<int, 5> kLooks{2, 20, 100, 1000, 10000};  ///< Sweeps.
  std::array<int, kLevels.size()> sweeps{};        ///< To each; 0: more than allowed.
  std::size_t active = 0;                          ///< Rows at a bound in the solution.
  std::array<std::size_t, kLooks.size()> found{};  ///< Of these, after so many sweeps.
  int looks = 0;                                   ///< How many of kLooks were reached.
  double seconds = 0;  ///< Of the processor, to the last level or the end.
  /// Of the device: all but sweeps, copies included, and each sweep.
  double device_ms = 0, device_ms_each = 0;
};

/// [M] Tables 3 and 4: a method to r_1 <= 1e-8, or to its own end.
struct FactorCosts {
  int factorizations = 0, sweeps = 0;
  std::size_t factor_numbers = 0;
  double seconds = 0;    ///< Of the host's processor.
  double device_ms = 0;  ///< Of the device, copies included.
  double residual = 0;   ///< r_1.
  bool reached = false;
};

/// What makes a boxed problem harder than those of [M]: bounds on friction, which (1.1) does not
/// have, and the proximal term of subspace.hpp. All sweeps on the host.
struct FactorCauses {
  FactorCosts as_in_paper;          ///< Friction without bounds, no proximal term.
  FactorCosts proximal_alone;       ///< Friction without bounds.
  FactorCosts bounds_alone;         ///< No proximal term.
  FactorCosts bounds_and_proximal;  ///< What is measured everywhere else.
};

/// [F] Tables 1 to 4: solves by incomplete factors and conjugate gradients, or by exact factors.
struct FactorSizes {
  std::size_t primal = 0, primal_ordered = 0;  ///< Doubles of an exact factor of (1),
  std::size_t dual = 0, dual_ordered = 0;      ///< of (2), as given and by symrcm;
  std::size_t smaller_ordered = 0;             ///< of the smaller of the two matrices.
};
/// All 0 but the time where conjugate gradients did not end.
struct IncompleteCosts {
  double drop_tolerance = 0;
  std::size_t gradient_steps = 0, factor_numbers = 0;
  int iterations = 0;
  double seconds = 0;
  bool reached = false;
};

struct PaperResult {
  std::size_t rows = 0, bodies = 0, nonzeros = 0;  ///< Of A.
  PlainSweeps plain;
  /// PGS(2)-SM(3), PGS(5)-SM(3), PGS(5)-SM(2).
  std::array<FactorCosts, 3> subspace;
  FactorCauses causes;
  FactorCosts interior;
  FactorSizes sizes;
  std::vector<IncompleteCosts> incomplete;  ///< Of drop tolerances 1e-3, 1e-4, 1e-8.
};

struct PaperLimits {
  int most_sweeps;              ///< Of projected Gauss-Seidel alone, which ends there.
  std::size_t most_incomplete;  ///< Rows; above, incomplete factors are left out.
};

/// `problem` without parents; `device` from zero, with the program "boxed". Throws RowProblemError,
/// MethodFailure and what Solver does.
PaperResult measure_for_papers(const model::RowProblem& problem, const Solver& device,
                               const PaperLimits& limits);

}  // namespace ppu::sim
