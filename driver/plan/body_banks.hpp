// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Numbers of bodies on the device. Body i is in velocity bank i mod banks, so the numbers decide
// which rows can issue together: the two bodies of a row get different banks wherever possible, and
// the rows are spread evenly over the banks.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "driver/plan/row_graph.hpp"

namespace ppu::driver {

constexpr std::uint32_t kNoBody = std::numeric_limits<std::uint32_t>::max();

/// Device body -> body, kNoBody where no body has the number. Its size, the number of device
/// bodies, is at most `capacity` unless the graph has more bodies than that.
std::vector<std::uint32_t> number_bodies(const RowGraph& graph, std::uint32_t banks,
                                         std::uint32_t capacity);

}  // namespace ppu::driver
