// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The plain float32 solver: update_row on one row after the other, nothing else. Back ends are
// compared with it bit for bit.
#pragma once

#include <cstddef>
#include <optional>

#include "ppu/model/reference.hpp"
#include "ppu/model/row_arithmetic.hpp"
#include "ppu/model/row_problem.hpp"

namespace ppu::model {

struct Replay : Solution {
  std::optional<std::size_t> fault_row;  ///< The run ended here; the row's result is not written.
};

/// `options.sweeps` sweeps in the arithmetic form `form`.
Replay replay(const RowProblem& problem, const SolveOptions& options, spec::Form form);

/// The bias and the compliance as the impulse form takes them: -(b*d) and cfm*d, rounded.
float impulse_form_bias(float rate_bias, float inv_diagonal);
float impulse_form_compliance(float compliance, float inv_diagonal);

}  // namespace ppu::model
