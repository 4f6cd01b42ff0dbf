// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What sweeps that overlap cannot beat: rows that wait for each other around the rings of their
// bodies.
#pragma once

#include <cstdint>

#include "model/problem/row_problem.hpp"

namespace ppu::sim {

/// Rows that follow each other from body to body, the first one behind the last one.
struct LongestCycle {
  std::uint64_t rows = 0;    ///< 0: no row names a body.
  std::uint64_t sweeps = 1;  ///< How many sweeps it takes to get around.
};

/// The cycle with the most rows per sweep, which is the maximum cycle ratio of the graph of the
/// rows and their tokens; exactly.
LongestCycle longest_cycle(const model::RowProblem& problem);

}  // namespace ppu::sim
