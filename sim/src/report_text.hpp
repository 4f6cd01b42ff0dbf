// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Results for people: the summary of a solve and the first form of a profile.
#pragma once

#include <string>

#include "run.hpp"

namespace ppu::sim {

/// Two columns: rows, sweeps, cycles, rows/cycle, ..., state hash, stalls.
std::string summary(const model::RowProblem& problem, const Options& options, const Run& run);

/// Stall classes, cycles per row as a histogram, throughput by kind of row, slowest rows.
std::string profile_text(const model::RowProblem& problem, const Options& options, const Run& run);

}  // namespace ppu::sim
