// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A run beside the Eigen reference, the same sweeps in double precision, and beside the answer of
// the engine that the problem came from.
#pragma once

#include "sim/solve/solver.hpp"

namespace ppu::sim {

struct ReferenceCheck {
  double error;  ///< max |x - x_reference| / max |x_reference| over the impulses.
  double bound;  ///< What rounding to float32 may cost, see model::float_error_bound().
  [[nodiscard]] bool holds() const { return error <= bound; }
};

/// Why there is no reference for the sweeps of `result`; empty if there is one.
std::string missing_reference(const Options& options, const SolveResult& result);

/// Repeats the sweeps of `result` in double precision, where there is a reference for them.
ReferenceCheck check_reference(const model::RowProblem& problem, const Options& options,
                               const SolveResult& result);

/// The options with which the engine's answer in the problem's file came about, those that `result`
/// had otherwise: "--sweeps 10 --friction skip"; empty if it answers the same question. Only for
/// problems with such an answer.
std::string other_question(const model::RowProblem& problem, const Options& options,
                           const SolveResult& result);

/// max |x - x_engine| / max |x_engine| over the impulses, where the problem's file brings the
/// engine's own answer to the same sweeps, start, friction rule and order; else NaN.
double error_against_engine(const model::RowProblem& problem, const Options& options,
                            const SolveResult& result);

}  // namespace ppu::sim
