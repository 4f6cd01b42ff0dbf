// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// List scheduling of repeated sweeps. One list schedule takes, cycle by cycle, the ready row with
// the most urgent deadline. Sweeps follow one another with the same order, so rows also wait for
// the bodies of the sweep before (release times) and are awaited by the sweep after (deadlines):
// both come from a simulation of the previous candidate, and the best of a few rounds is kept.
#include "scheduler.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

#include "issue_model.hpp"

namespace ppu::driver {
namespace {

using Cycle = std::int64_t;

constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();

/// The dependencies of a row graph. Rows are in topological order already.
class Dependencies {
 public:
  explicit Dependencies(const RowGraph& graph) : before_(graph.rows()) {
    first_.assign(graph.body_count, kNoRow);
    last_.assign(graph.body_count, kNoRow);
    for (std::uint32_t row = 0; row < graph.rows(); ++row) {
      before_[row] = {kNoRow, kNoRow, kNoRow};
      for (std::size_t half = 0; half < 2; ++half) {
        if (graph.body[row][half] < 0) continue;
        const auto body = static_cast<std::size_t>(graph.body[row][half]);
        before_[row][half] = last_[body];
        if (first_[body] == kNoRow) first_[body] = row;
        last_[body] = row;
      }
      if (graph.parent[row] >= 0) before_[row][2] = static_cast<std::uint32_t>(graph.parent[row]);
    }
    index_successors();
  }

  [[nodiscard]] std::uint32_t rows() const { return static_cast<std::uint32_t>(before_.size()); }
  [[nodiscard]] const std::array<std::uint32_t, 3>& before(std::uint32_t row) const {
    return before_[row];
  }
  /// First and last row of each body, or kNoRow.
  [[nodiscard]] const std::vector<std::uint32_t>& first() const { return first_; }
  [[nodiscard]] const std::vector<std::uint32_t>& last() const { return last_; }

  template <class Visit>
  void for_each_after(std::uint32_t row, Visit visit) const {
    for (std::uint32_t i = start_[row]; i < start_[row + 1]; ++i) visit(after_[i]);
  }

 private:
  void index_successors() {
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

  std::vector<std::array<std::uint32_t, 3>> before_;
  std::vector<std::uint32_t> first_, last_;
  std::vector<std::uint32_t> start_, after_;
};

/// Earliest issue of each row and the time by which it should have issued.
struct Timing {
  std::vector<Cycle> release;
  std::vector<Cycle> deadline;
};

/// Timing without a sweep before or after: the deadline is minus the longest path to the end.
Timing open_ended(const Dependencies& rows) {
  const std::size_t count = rows.rows();
  return {std::vector<Cycle>(count, 0), std::vector<Cycle>(count, 0)};
}

/// Timing between two sweeps that look like `state`.
Timing between_sweeps(const Dependencies& rows, const RowGraph& graph, const SteadyState& state,
                      Cycle latency) {
  Timing timing = open_ended(rows);
  for (std::size_t body = 0; body < graph.body_count; ++body) {
    const std::uint32_t first = rows.first()[body];
    const std::uint32_t last = rows.last()[body];
    if (first == kNoRow) continue;
    Cycle& release = timing.release[first];
    release = std::max(release, state.issue[last] + latency - state.period);
    Cycle& deadline = timing.deadline[last];
    deadline = std::min(deadline, state.issue[first]);
  }
  return timing;
}

/// Moves every deadline ahead of the deadlines of the rows that wait for the row.
void propagate_deadlines(const Dependencies& rows, Cycle latency, std::vector<Cycle>& deadline) {
  for (std::uint32_t row = rows.rows(); row-- > 0;)
    for (const std::uint32_t earlier : rows.before(row))
      if (earlier != kNoRow)
        deadline[earlier] = std::min(deadline[earlier], deadline[row] - latency);
}

/// Issues the most urgent ready row in every cycle; ties in row order.
RowOrder list_schedule(const Dependencies& rows, Timing timing, Cycle latency) {
  propagate_deadlines(rows, latency, timing.deadline);
  using Entry = std::pair<Cycle, std::uint32_t>;
  using MinHeap = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;
  MinHeap waiting;  // By release.
  MinHeap ready;    // By deadline.
  std::vector<std::uint8_t> missing(rows.rows(), 0);
  for (std::uint32_t row = 0; row < rows.rows(); ++row) {
    for (const std::uint32_t earlier : rows.before(row))
      if (earlier != kNoRow) ++missing[row];
    if (missing[row] == 0) waiting.emplace(timing.release[row], row);
  }

  RowOrder order;
  order.reserve(rows.rows());
  for (Cycle cycle = 0; order.size() < rows.rows(); ++cycle) {
    if (ready.empty()) cycle = std::max(cycle, waiting.top().first);
    for (; !waiting.empty() && waiting.top().first <= cycle; waiting.pop())
      ready.emplace(timing.deadline[waiting.top().second], waiting.top().second);
    const std::uint32_t row = ready.top().second;
    ready.pop();
    order.push_back(row);
    rows.for_each_after(row, [&](std::uint32_t later) {
      Cycle& release = timing.release[later];
      release = std::max(release, cycle + latency);
      if (--missing[later] == 0) waiting.emplace(release, later);
    });
  }
  return order;
}

/// No in-order sweep is shorter: one row per cycle, and the longest chain from first to last issue.
Cycle shortest_period(const Dependencies& rows, Cycle latency) {
  Timing timing = open_ended(rows);
  propagate_deadlines(rows, latency, timing.deadline);
  Cycle period = rows.rows();
  for (const Cycle deadline : timing.deadline) period = std::max(period, 1 - deadline);
  return period;
}

}  // namespace

RowOrder schedule(const RowGraph& graph, std::uint32_t latency_rows) {
  if (graph.rows() == 0) return {};
  constexpr int kRounds = 6;
  const Cycle latency = std::max<Cycle>(latency_rows, 1);
  const Dependencies rows(graph);
  const Cycle bound = shortest_period(rows, latency);

  RowOrder best = list_schedule(rows, open_ended(rows), latency);
  SteadyState state = simulate(graph, best, latency);
  Cycle best_period = state.period;
  for (int round = 1; round < kRounds && best_period > bound; ++round) {
    RowOrder order = list_schedule(rows, between_sweeps(rows, graph, state, latency), latency);
    state = simulate(graph, order, latency);
    if (state.period < best_period) {
      best_period = state.period;
      best = std::move(order);
    }
  }
  return best;
}

}  // namespace ppu::driver
