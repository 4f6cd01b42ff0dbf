// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Last writers of the bodies, and the successors they give.
#include "driver/plan/dependencies.hpp"

#include <numeric>

namespace ppu::driver {

Dependencies::Dependencies(const RowGraph& graph, const Machine& machine)
    : before_(graph.rows()), distance_(graph.rows(), machine.latency), children_(graph.rows(), 0) {
  const BankMap banks(graph, machine);
  first_.assign(graph.body_count, kNoRow);
  last_.assign(graph.body_count, kNoRow);
  for (std::uint32_t row = 0; row < graph.rows(); ++row) {
    if (banks.clash(graph.body[row])) ++distance_[row];
    before_[row] = {kNoRow, kNoRow, kNoRow};
    for (std::size_t half = 0; half < 2; ++half) {
      if (graph.body[row][half] < 0) continue;
      const auto body = static_cast<std::size_t>(graph.body[row][half]);
      before_[row][half] = last_[body];
      if (first_[body] == kNoRow) first_[body] = row;
      last_[body] = row;
    }
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
