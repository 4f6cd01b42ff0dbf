// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The scoreboard: issue = max(previous issue + 1, ready of both bodies, of the parent's impulse and
// of the row's own), ready = issue + latency; it carries over from sweep to sweep.
#include "issue_model.hpp"

#include <algorithm>

namespace ppu::driver {

SteadyState simulate(const RowGraph& graph, const RowOrder& order, std::int64_t latency) {
  // The third sweep no longer sees the empty pipe of the first.
  constexpr int kSweeps = 3;
  std::vector<std::int64_t> body_ready(graph.body_count, 0);
  std::vector<std::int64_t> row_ready(graph.rows(), 0);
  SteadyState state;
  state.issue.resize(graph.rows());
  std::int64_t cycle = -1;
  std::int64_t sweep_start = 0;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (std::size_t slot = 0; slot < order.size(); ++slot) {
      const std::uint32_t row = order[slot];
      std::int64_t issue = std::max(cycle + 1, row_ready[row]);
      for (const std::int32_t body : graph.body[row])
        if (body >= 0) issue = std::max(issue, body_ready[static_cast<std::size_t>(body)]);
      if (const std::int32_t parent = graph.parent[row]; parent >= 0)
        issue = std::max(issue, row_ready[static_cast<std::size_t>(parent)]);
      row_ready[row] = issue + latency;
      for (const std::int32_t body : graph.body[row])
        if (body >= 0) body_ready[static_cast<std::size_t>(body)] = issue + latency;
      if (slot == 0) {
        state.period = issue - sweep_start;
        sweep_start = issue;
      }
      state.issue[row] = issue - sweep_start;
      cycle = issue;
    }
  }
  return state;
}

}  // namespace ppu::driver
