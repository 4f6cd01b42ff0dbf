// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What no order that keeps the bits can beat.
#include "sim/measure/sweep_bound.hpp"

#include "sim/problem/problem.hpp"

namespace ppu::sim {

std::vector<std::uint64_t> chain_of_bodies(const model::RowProblem& problem) {
  std::vector<std::uint64_t> length(problem.bodies());
  for (const auto& pair : problem.body) {
    std::uint64_t chain = 0;
    for (const std::int32_t body : pair)
      if (body >= 0) chain = std::max(chain, length[static_cast<std::size_t>(body)]);
    ++chain;
    for (const std::int32_t body : pair)
      if (body >= 0) length[static_cast<std::size_t>(body)] = chain;
  }
  return length;
}

SweepBound sweep_bound(const model::RowProblem& problem, const hw::Config& config,
                       std::uint32_t engines) {
  SweepBound bound;
  // An island does not share its rows out among engines.
  std::uint64_t rows = (problem.rows() + engines - 1) / engines;
  for (const std::uint64_t island : island_rows(problem)) rows = std::max(rows, island);
  const std::uint64_t beats = rows * static_cast<std::uint64_t>(hw::initiation_interval(config));
  bound.pipe_cycles = (beats + config.pipes - 1) / config.pipes;

  const auto latency = static_cast<std::uint64_t>(hw::body_latency(config));
  const std::vector<std::uint32_t> loads = rows_per_body(problem);
  const auto busiest = std::max_element(loads.begin(), loads.end());
  if (busiest != loads.end()) {
    bound.body = static_cast<std::uint32_t>(busiest - loads.begin());
    bound.body_rows = *busiest;
  }
  bound.body_cycles = bound.body_rows * latency;
  const std::vector<std::uint64_t> chains = chain_of_bodies(problem);
  if (!chains.empty()) bound.chain_rows = *std::max_element(chains.begin(), chains.end());
  if (bound.chain_rows > 0) bound.chain_cycles = (bound.chain_rows - 1) * latency + 1;
  return bound;
}

}  // namespace ppu::sim
