// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What no order that keeps the bits can beat: the pipes take so many rows per cycle, and rows that
// share a body follow each other at the body latency.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/contract/config.hpp"
#include "model/problem/row_problem.hpp"

namespace ppu::sim {

/// Least cycles of a steady sweep, from three sides.
struct SweepBound {
  std::uint64_t pipe_cycles = 0;  ///< The rows of the fullest engine through all its pipes.

  std::uint32_t body = 0;         ///< The busiest one: most rows name it.
  std::uint64_t body_rows = 0;    ///< Rows that name it.
  std::uint64_t body_cycles = 0;  ///< ... times the body latency.

  std::uint64_t chain_rows = 0;  ///< Most rows that follow each other from body to body.
  /// From the issue of the first of them to that of the last: a sweep issues no row before all rows
  /// of the sweep before it have issued. With dataflow issue sweeps overlap, and both are those of
  /// the longest cycle, per sweep and rounded up: see longest_cycle().
  std::uint64_t chain_cycles = 0;

  [[nodiscard]] std::uint64_t cycles() const {
    return std::max({pipe_cycles, body_cycles, chain_cycles});
  }
  /// Which side is the largest: "pipes", "body" or "chain".
  [[nodiscard]] std::string set_by() const {
    if (pipe_cycles == cycles()) return "pipes";
    return body_cycles == cycles() ? "body" : "chain";
  }
};

/// Rows of the longest chain that ends at each body, in the order of the problem: each row of it
/// shares a body with the one before it.
std::vector<std::uint64_t> chain_of_bodies(const model::RowProblem& problem);

/// Of a problem that is spread over `engines` engines.
SweepBound sweep_bound(const model::RowProblem& problem, const hw::Config& config,
                       std::uint32_t engines);

}  // namespace ppu::sim
