// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Greedy first-fit colouring: one growing bit set of used colours per body.
#include "driver/plan/colour.hpp"

#include <algorithm>
#include <numeric>

namespace ppu::driver {
namespace {

using ColourSet = std::vector<bool>;

bool contains(const ColourSet& set, std::uint32_t colour) {
  return colour < set.size() && set[colour];
}

void insert(ColourSet& set, std::uint32_t colour) {
  if (colour >= set.size()) set.resize(colour + 1);
  set[colour] = true;
}

}  // namespace

std::vector<std::uint32_t> colour_rows(const RowGraph& graph) {
  std::vector<ColourSet> used(graph.body_count);
  std::vector<std::uint32_t> colours(graph.rows());
  for (std::size_t row = 0; row < graph.rows(); ++row) {
    const std::int32_t parent = graph.parent[row];
    std::uint32_t colour = parent < 0 ? 0 : colours[static_cast<std::size_t>(parent)] + 1;
    const auto taken = [&](std::int32_t body) {
      return body >= 0 && contains(used[static_cast<std::size_t>(body)], colour);
    };
    while (taken(graph.body[row][0]) || taken(graph.body[row][1])) ++colour;
    for (const std::int32_t body : graph.body[row])
      if (body >= 0) insert(used[static_cast<std::size_t>(body)], colour);
    colours[row] = colour;
  }
  return colours;
}

RowOrder colour_order(const RowGraph& graph) {
  const std::vector<std::uint32_t> colours = colour_rows(graph);
  RowOrder order(graph.rows());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&colours](std::uint32_t a, std::uint32_t b) {
    return colours[a] < colours[b];
  });
  return order;
}

}  // namespace ppu::driver
