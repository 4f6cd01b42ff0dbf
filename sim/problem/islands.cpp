// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Islands: connected rows and bodies, numbered.
#include "sim/problem/islands.hpp"

#include "model/graph/connected.hpp"

namespace ppu::sim {

Islands find_islands(const std::vector<std::array<std::int32_t, 2>>& rows,
                     const std::vector<std::int32_t>& parents, std::size_t bodies) {
  const model::Connected connected(rows, parents, bodies);
  std::vector<bool> has_rows(connected.sets(), false);
  for (std::size_t row = 0; row < rows.size(); ++row) has_rows[connected.of_row(row)] = true;
  Islands islands;
  islands.of_body.assign(bodies, -1);
  islands.of_row.resize(rows.size());
  std::vector<std::int32_t> number(connected.sets(), -1);
  for (std::size_t body = 0; body < bodies; ++body) {
    const std::uint32_t set = connected.of_body(body);
    if (!has_rows[set]) continue;
    if (number[set] < 0) number[set] = static_cast<std::int32_t>(islands.count++);
    islands.of_body[body] = number[set];
  }
  for (std::size_t row = 0; row < rows.size(); ++row)
    islands.of_row[row] = number[connected.of_row(row)];
  return islands;
}

Islands find_islands(const model::RowProblem& problem) {
  return find_islands(problem.body, problem.parent, problem.bodies());
}

}  // namespace ppu::sim
