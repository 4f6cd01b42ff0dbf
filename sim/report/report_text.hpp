// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Results for people: the summary of a solve.
#pragma once

#include <string>

#include "sim/solve/run.hpp"

namespace ppu::sim {

/// "1 engine x 2 pipes x 12 lanes, 16 velocity banks, body latency 32 cycles".
std::string device_in_words(const ppu_device_info& device);

/// Two columns: rows, sweeps, cycles, rows/cycle, ..., state hash, stalls.
std::string summary(const model::RowProblem& problem, const Options& options, const Run& run);

}  // namespace ppu::sim
