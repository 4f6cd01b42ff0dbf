// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Results for people: the summary of a solve and the first form of a profile.
#pragma once

#include <string>

#include "run.hpp"

namespace ppu::sim {

/// "1 engine x 2 pipes x 12 lanes, 16 velocity banks, body latency 32 cycles".
std::string device_in_words(const ppu_device_info& device);

/// Two columns: rows, sweeps, cycles, rows/cycle, ..., state hash, stalls.
std::string summary(const model::RowProblem& problem, const Options& options, const Run& run);

/// Stall classes, the frame's cost, counters of the device, cycles per row as a histogram,
/// throughput by kind of row, slowest rows.
std::string profile_text(const model::RowProblem& problem, const Options& options, const Run& run);

}  // namespace ppu::sim
