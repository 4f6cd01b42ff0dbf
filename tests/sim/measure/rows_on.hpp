// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Problems for measures that look at bodies only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/problem/row_problem.hpp"

namespace ppu::sim {

/// Rows on these bodies (-1: none) of `count`, without parents; nothing else of a problem counts.
inline model::RowProblem rows_on(std::vector<std::array<std::int32_t, 2>> bodies,
                                 std::size_t count) {
  model::RowProblem problem;
  problem.parent.assign(bodies.size(), -1);
  problem.body = std::move(bodies);
  problem.velocity_change.resize(6 * count);
  return problem;
}

}  // namespace ppu::sim
