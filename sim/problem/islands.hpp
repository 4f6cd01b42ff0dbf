// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Islands: bodies that rows connect, directly or through other bodies. A row also belongs together
// with its parent, so that an island is what one run of the device must have.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/problem/row_problem.hpp"

namespace ppu::sim {

/// Numbered by their first bodies.
struct Islands {
  std::vector<std::int32_t> of_body;  ///< -1 for a body without rows.
  std::vector<std::int32_t> of_row;   ///< -1 for a row that has to do with no body.
  std::size_t count = 0;
};

/// `rows` are the bodies of each row, -1 for the static world, of `bodies` bodies in all; `parents`
/// the parent of each row, or -1.
Islands find_islands(const std::vector<std::array<std::int32_t, 2>>& rows,
                     const std::vector<std::int32_t>& parents, std::size_t bodies);
Islands find_islands(const model::RowProblem& problem);

}  // namespace ppu::sim
