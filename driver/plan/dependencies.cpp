// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The rows before each row, and the successors that they give.
#include "driver/plan/dependencies.hpp"

#include <numeric>

namespace ppu::driver {

Dependencies::Dependencies(const RowGraph& graph, const Machine& machine)
    : before_(graph.rows()),
      distance_(graph.rows(), machine.latency),
      children_(graph.rows(), 0),
      first_(graph.body_count, kNoRow),
      last_(graph.body_count) {
  const BankMap banks(graph, machine);
  for (std::uint32_t row = 0; row < graph.rows(); ++row) {
    if (banks.clash(graph.body[row])) ++distance_[row];
    const auto [a, b] = last_.replace(graph.body[row], row);
    before_[row] = {a, b, kNoRow};
    for (std::size_t half = 0; half < 2; ++half)
      if (graph.body[row][half] >= 0 && before_[row][half] == kNoRow)
        first_[static_cast<std::size_t>(graph.body[row][half])] = row;
    if (graph.parent[row] < 0) continue;
    before_[row][2] = static_cast<std::uint32_t>(graph.parent[row]);
    ++children_[before_[row][2]];
  }
  index_successors();
}

void Dependencies::index_successors() {
  start_.assign(before_.size() + 1, 0);
  for (const auto& list : before_)
    for (const std::uint32_t row : list)
      if (row != kNoRow) ++start_[row + 1];
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  after_.resize(start_.back());
  std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
  for (std::uint32_t row = 0; row < rows(); ++row)
    for (const std::uint32_t earlier : before_[row])
      if (earlier != kNoRow) after_[next[earlier]++] = row;
}

}  // namespace ppu::driver
