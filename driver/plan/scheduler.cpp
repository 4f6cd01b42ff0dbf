// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Scheduling of repeated sweeps. Sweeps follow one another with the same order, so rows also wait
// for the bodies of the sweep before (release times) and are awaited by the sweep after
// (deadlines): both come from a simulation of the previous list schedule, and the best of a few
// rounds is kept.
#include "driver/plan/scheduler.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "driver/plan/dependencies.hpp"
#include "driver/plan/list_schedule.hpp"

namespace ppu::driver {
namespace {

/// Timing without a sweep before or after: the deadline is minus the longest path to the end.
Timing open_ended(const Dependencies& rows) {
  const std::size_t count = rows.rows();
  return {std::vector<Cycle>(count, 0), std::vector<Cycle>(count, 0)};
}

/// Timing between two sweeps that look like `state`.
Timing between_sweeps(const Dependencies& rows, const SteadyState& state, Cycle latency) {
  Timing timing = open_ended(rows);
  timing.deadline.assign(rows.rows(), latency - 1);
  for (std::size_t body = 0; body < rows.first().size(); ++body) {
    const std::uint32_t first = rows.first()[body];
    const std::uint32_t last = rows.last()[body];
    if (first == kNoRow) continue;
    Cycle& release = timing.release[first];
    release = std::max(release, state.issue[last] + rows.distance(last) - state.period);
    Cycle& deadline = timing.deadline[last];
    deadline = std::min(deadline, state.issue[first]);
  }
  return timing;
}

/// No in-order sweep is shorter: every row takes a place in a pipe, every row of a bank a cycle of
/// the bank, and a chain of rows its length from first to last issue.
Cycle shortest_period(const RowGraph& graph, const Dependencies& rows, const Machine& machine) {
  const Cycle pipes = (rows.rows() + machine.pipes - 1) / machine.pipes * machine.interval;
  const BankMap banks(graph, machine);
  std::vector<Cycle> uses(banks.count() + 1, 0);
  for (const Bodies& pair : graph.body)
    for (const std::int32_t body : pair)
      if (body >= 0) ++uses[banks.of(static_cast<std::size_t>(body))];
  std::vector<Cycle> deadline(rows.rows(), 0);
  propagate_deadlines(rows, deadline);
  const Cycle chain = 1 - *std::min_element(deadline.begin(), deadline.end());
  return std::max({pipes, chain, *std::max_element(uses.begin(), uses.end())});
}

}  // namespace

RowOrder schedule(const RowGraph& graph, const Machine& machine) {
  if (graph.rows() == 0) return {};
  const Dependencies rows(graph, machine);
  const Cycle bound = shortest_period(graph, rows, machine);
  // A round that gains no more does not pay.
  const Cycle little = bound / 400;
  constexpr int kRounds = 6;

  RowOrder best;
  Cycle best_period = std::numeric_limits<Cycle>::max();
  Timing timing = open_ended(rows);
  for (int round = 0; round < kRounds; ++round) {
    RowOrder order = list_schedule(graph, rows, machine, std::move(timing));
    const SteadyState state = simulate(graph, order, machine);
    const Cycle gain = best_period - state.period;
    if (gain > 0) {
      best_period = state.period;
      best = std::move(order);
    }
    if (best_period <= bound + little || gain <= little) break;
    timing = between_sweeps(rows, state, machine.latency);
  }
  return best;
}

}  // namespace ppu::driver
