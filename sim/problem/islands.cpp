// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Islands: bodies that rows connect.
#include "sim/problem/islands.hpp"

#include <numeric>

namespace ppu::sim {

std::vector<std::int32_t> island_of_bodies(const std::vector<std::array<std::int32_t, 2>>& rows,
                                           std::size_t bodies) {
  std::vector<std::size_t> root(bodies);
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&root](std::size_t at) {
    while (root[at] != at) at = root[at] = root[root[at]];
    return at;
  };
  std::vector<bool> named(bodies, false);
  for (const auto& [a, b] : rows) {
    for (const std::int32_t body : {a, b})
      if (body >= 0) named[static_cast<std::size_t>(body)] = true;
    if (a >= 0 && b >= 0)
      root[find(static_cast<std::size_t>(a))] = find(static_cast<std::size_t>(b));
  }
  std::vector<std::int32_t> number(bodies, -1);
  std::vector<std::int32_t> island(bodies, -1);
  std::int32_t next = 0;
  for (std::size_t body = 0; body < bodies; ++body) {
    if (!named[body]) continue;
    std::int32_t& mine = number[find(body)];
    if (mine < 0) mine = next++;
    island[body] = mine;
  }
  return island;
}

std::int32_t island_of_row(const std::array<std::int32_t, 2>& bodies,
                           const std::vector<std::int32_t>& island_of_body) {
  for (const std::int32_t body : bodies)
    if (body >= 0) return island_of_body[static_cast<std::size_t>(body)];
  return -1;
}

}  // namespace ppu::sim
