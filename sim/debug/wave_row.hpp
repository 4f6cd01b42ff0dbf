// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The cycles of waves that show one update of one row, by its number in the problem.
#pragma once

#include <string>

#include "sim/solve/solver.hpp"

namespace ppu::sim {

/// Sets --wave-window to the cycles around the update that --wave-row names, some before its issue
/// and some behind its last write; nothing without --wave-row. The model says when that is: its
/// cycles are those of the RTL. Returns what it found, a sentence. Throws CliError (usage) for rows
/// that are not updated so, or that these waves do not show.
std::string choose_wave_window(const model::RowProblem& problem, Options* options);

}  // namespace ppu::sim
