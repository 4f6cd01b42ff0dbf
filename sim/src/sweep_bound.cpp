// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What no order of the rows can beat.
#include "sweep_bound.hpp"

#include "problem.hpp"

namespace ppu::sim {

SweepBound sweep_bound(const model::RowProblem& problem, const hw::Config& config) {
  SweepBound bound;
  const std::vector<std::uint32_t> loads = rows_per_body(problem);
  const auto busiest = std::max_element(loads.begin(), loads.end());
  if (busiest != loads.end()) {
    bound.body = static_cast<std::uint32_t>(busiest - loads.begin());
    bound.chain_rows = *busiest;
  }
  bound.chain_cycles = bound.chain_rows * static_cast<std::uint64_t>(hw::body_latency(config));
  // An island does not share its rows out among engines.
  std::uint64_t rows = (problem.rows() + config.engines - 1) / config.engines;
  for (const std::uint64_t island : island_rows(problem)) rows = std::max(rows, island);
  const std::uint64_t beats = rows * static_cast<std::uint64_t>(hw::initiation_interval(config));
  bound.pipe_cycles = (beats + config.pipes - 1) / config.pipes;
  return bound;
}

}  // namespace ppu::sim
