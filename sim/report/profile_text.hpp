// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A profile for people: where the cycles of a solve went.
#pragma once

#include <string>

#include "sim/solve/solver.hpp"

namespace ppu::sim {

/// What bounds the sweeps, and what the frame: a sentence each, in lines.
std::string bounds_in_words(const model::RowProblem& problem, const Options& options,
                            const SolveResult& result);

/// What bounds the run; tables of stall classes, the frame's cost, the roofline, counters of the
/// device; then, with a row profile, cycles per row as a histogram, throughput by kind, island and
/// body, the slowest rows and what holds rows back.
std::string profile_text(const model::RowProblem& problem, const Options& options,
                         const SolveResult& result);

}  // namespace ppu::sim
