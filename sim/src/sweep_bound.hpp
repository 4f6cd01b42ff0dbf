// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What no order of the rows can beat: the pipes take so many rows per cycle, and rows on one body
// follow each other at the body latency.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ppu/hw/config.hpp"
#include "ppu/model/row_problem.hpp"

namespace ppu::sim {

struct SweepBound {
  std::uint32_t body = 0;          ///< The busiest one: most rows name it.
  std::uint64_t chain_rows = 0;    ///< Rows that name it.
  std::uint64_t chain_cycles = 0;  ///< ... times the body latency.
  std::uint64_t pipe_cycles = 0;   ///< The rows of the fullest engine through all its pipes.

  /// Least cycles of a steady sweep.
  [[nodiscard]] std::uint64_t cycles() const { return std::max(chain_cycles, pipe_cycles); }
};

SweepBound sweep_bound(const model::RowProblem& problem, const hw::Config& config);

}  // namespace ppu::sim
