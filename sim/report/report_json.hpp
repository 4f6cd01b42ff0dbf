// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Results as JSON: the keys that scripts rely on.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/solve/solver.hpp"

namespace ppu::sim {

/// The result of one solve. Values that need time are null on back ends without it.
nlohmann::ordered_json to_json(const model::RowProblem& problem, const Options& options,
                               const SolveResult& result);

}  // namespace ppu::sim
