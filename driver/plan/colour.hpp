// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Colour order: rows in groups in which no two share a dynamic body. Changes the result of a sweep.
#pragma once

#include <cstdint>
#include <vector>

#include "driver/plan/row_graph.hpp"

namespace ppu::driver {

/// Greedy first-fit colour of each row, in row order; a friction row comes after its parent's
/// colour.
std::vector<std::uint32_t> colour_rows(const RowGraph& graph);

/// Rows colour by colour, in row order within a colour.
RowOrder colour_order(const RowGraph& graph);

}  // namespace ppu::driver
