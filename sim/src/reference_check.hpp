// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A run beside the Eigen reference: the same sweeps in double precision.
#pragma once

#include "run.hpp"

namespace ppu::sim {

struct ReferenceCheck {
  double error;  ///< max |x - x_reference| / max |x_reference| over the impulses.
  double bound;  ///< What rounding to float32 may cost on this problem, see error_bound().
  [[nodiscard]] bool holds() const { return error <= bound; }
};

/// Repeats the sweeps of `run` in double precision. Throws CliError (usage) for a program that does
/// something else than the reference's projections.
ReferenceCheck check_reference(const model::RowProblem& problem, const Options& options,
                               const Run& run);

/// 2^-24 x sweeps x rows on the busiest body x 16: each visit of a row rounds about 16 times (13
/// additions of the rate, the step, the clamp's difference and the update of v), relative to the
/// largest impulse, and a body gathers the errors of all its rows.
double error_bound(const model::RowProblem& problem, std::uint32_t sweeps);

}  // namespace ppu::sim
