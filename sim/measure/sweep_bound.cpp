// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What no order that keeps the bits can beat.
#include "sim/measure/sweep_bound.hpp"

#include "model/graph/last_rows.hpp"
#include "sim/measure/longest_cycle.hpp"
#include "sim/problem/problem.hpp"

namespace ppu::sim {

std::vector<std::uint64_t> chain_of_bodies(const model::RowProblem& problem) {
  model::LastRows last(problem.bodies());
  std::vector<std::uint64_t> length(problem.rows(), 1);  // Of the chain that ends at each row.
  for (std::uint32_t row = 0; row < problem.rows(); ++row)
    for (const std::uint32_t before : last.replace(problem.body[row], row))
      if (before != model::kNoRow) length[row] = std::max(length[row], length[before] + 1);
  std::vector<std::uint64_t> chain(problem.bodies());
  for (std::size_t body = 0; body < chain.size(); ++body)
    if (last.rows()[body] != model::kNoRow) chain[body] = length[last.rows()[body]];
  return chain;
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
  if (config.dataflow != 0) {
    const LongestCycle cycle = longest_cycle(problem);
    const auto per_sweep = [&cycle](std::uint64_t all) {
      return (all + cycle.sweeps - 1) / cycle.sweeps;
    };
    bound.chain_rows = per_sweep(cycle.rows);
    bound.chain_cycles = per_sweep(cycle.rows * latency);
    return bound;
  }
  const std::vector<std::uint64_t> chains = chain_of_bodies(problem);
  if (!chains.empty()) bound.chain_rows = *std::max_element(chains.begin(), chains.end());
  if (bound.chain_rows > 0) bound.chain_cycles = (bound.chain_rows - 1) * latency + 1;
  return bound;
}

}  // namespace ppu::sim
