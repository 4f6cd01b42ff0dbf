// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A run beside the Eigen reference: the same sweeps in double precision.
#pragma once

#include "run.hpp"

namespace ppu::sim {

struct ReferenceCheck {
  double error;  ///< max |x - x_reference| / max |x_reference| over the impulses.
  double bound;  ///< What rounding to float32 may cost over these sweeps, see error_bound().
  [[nodiscard]] bool holds() const { return error <= bound; }
};

/// Repeats the sweeps of `run` in double precision. Throws CliError (usage) for a program that does
/// something else than the reference's projections.
ReferenceCheck check_reference(const model::RowProblem& problem, const Options& options,
                               const Run& run);

/// 16 x sweeps x 2^-24, relative to max |x|: a visit of a row rounds about 16 times (13 additions
/// of the rate, the step, its difference, the update of v), and since a sweep of projected
/// Gauss-Seidel does not stretch errors, those of the sweeps add up.
double error_bound(std::uint32_t sweeps);

}  // namespace ppu::sim
