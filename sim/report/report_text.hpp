// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Results for people: the summary of a solve.
#pragma once

#include <string>

#include "sim/solve/solver.hpp"

namespace ppu::sim {

/// Two columns: rows, sweeps, cycles, rows/cycle, ..., state hash, stalls.
std::string summary(const model::RowProblem& problem, const Options& options,
                    const SolveResult& result);

}  // namespace ppu::sim
