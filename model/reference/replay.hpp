// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The plain float32 solver: update_row on one row after the other, nothing else. Back ends are
// compared with it bit for bit. Programs that decide by residuals or tags are replayed with the
// decisions that float32 gives, since near a threshold double precision would decide otherwise, and
// go another way from there on.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "model/arithmetic/row_arithmetic.hpp"
#include "model/problem/row_problem.hpp"
#include "model/reference/reference.hpp"

namespace ppu::model {

struct Replay : Solution {
  std::optional<std::size_t> fault_row;  ///< The run ended here; the row's result is not written.
};

/// `options.sweeps` sweeps in the arithmetic form `form`.
Replay replay(const RowProblem& problem, const SolveOptions& options, spec::Form form);

/// The rows of `visits` in the rate form: one list for each sweep, see reference.hpp.
Replay replay_visits(const RowProblem& problem, const SolveOptions& options, const Visits& visits);

/// A replay that stops by itself, after at most `options.sweeps` sweeps.
struct DecidedReplay : Replay {
  int sweeps = 0;           ///< Sweeps made.
  float last_residual = 0;  ///< Maximum over the last pass.
  Visits visits;            ///< Rows of each sweep that were not passed over.
  std::vector<float>
      factors;  ///< Of programs with `lead`, see solve_leading(): one for each sweep.
};

/// Example 6 with a first pass that is repeated when a sweep passes (program `threshold`).
DecidedReplay replay_threshold(const RowProblem& problem, const SolveOptions& options,
                               float threshold);

/// The same with Nesterov's extrapolation (program `nesterov`).
DecidedReplay replay_nesterov(const RowProblem& problem, const SolveOptions& options,
                              float threshold);

/// Example 8.
struct FilterRule {
  float threshold = 0;       ///< Of the residual.
  float mark_threshold = 0;  ///< Of changes of velocity.
  bool verified = true;      ///< A pass over all rows must confirm the end; false: as printed.
};
DecidedReplay replay_filter(const RowProblem& problem, const SolveOptions& options,
                            const FilterRule& rule);

/// What a row adds to the residual of the impulse form: a change of the impulse over d.
using Quotient = float (*)(float delta, float inv_diagonal);
/// |fl(dx/d)|, of the device.
float device_quotient(float delta, float inv_diagonal);
/// Bullet 3.24: the product with the reciprocal in double precision, rounded to float32.
float bullet_quotient(float delta, float inv_diagonal);

/// Sweeps of the impulse form while the largest quotient of the last one is above `threshold`.
DecidedReplay replay_impulse_threshold(const RowProblem& problem, const SolveOptions& options,
                                       float threshold, Quotient quotient = device_quotient);

/// The bias and the compliance as the impulse form takes them: -(b*d) and cfm*d, rounded.
float impulse_form_bias(float rate_bias, float inv_diagonal);
float impulse_form_compliance(float compliance, float inv_diagonal);

}  // namespace ppu::model
