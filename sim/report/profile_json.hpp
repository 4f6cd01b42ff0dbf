// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A profile as JSON: the result of the solve, and where its cycles went.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/solve/solver.hpp"

namespace ppu::sim {

/// Of a timed run. What is known of single rows is empty on back ends that keep no row profile.
nlohmann::ordered_json profile_json(const model::RowProblem& problem, const Options& options,
                                    const SolveResult& result);

}  // namespace ppu::sim
