// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Islands: rows that have nothing to do with any other row, so that they can be run on their own
// with the same results.
#pragma once

#include <cstdint>
#include <vector>

#include "driver/plan/row_graph.hpp"

namespace ppu::driver {

/// A part of a row graph. Parents of its rows are among its rows.
struct Island {
  std::vector<std::uint32_t> rows;    ///< In their order.
  std::vector<std::uint32_t> bodies;  ///< Dynamic bodies of the rows, in their order.
};

/// Connected components over dynamic bodies and parents, the one with most rows first. Bodies
/// without a row are in none; a row without dynamic bodies, parent and children is one of its own.
std::vector<Island> find_islands(const RowGraph& graph);

/// What one run holds.
struct RunCapacity {
  std::uint32_t rows = 0;
  std::uint32_t bodies = 0;

  friend bool operator==(const RunCapacity& a, const RunCapacity& b) {
    return a.rows == b.rows && a.bodies == b.bodies;
  }
};

/// Unites islands to `runs` groups of about as many rows each, or to more where they would not fit:
/// an engine fills the waits of one island with rows of others. An island that does not fit by
/// itself is a group of its own. The groups with the most rows come first.
std::vector<Island> group_islands(const std::vector<Island>& islands, std::uint32_t runs,
                                  RunCapacity capacity);

/// The graph of each island: rows and bodies by their place in the island.
std::vector<RowGraph> split(const RowGraph& graph, const std::vector<Island>& islands);

}  // namespace ppu::driver
