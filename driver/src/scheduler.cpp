// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// List scheduling of repeated sweeps. One list schedule issues, cycle by cycle, the ready rows with
// the most urgent deadlines that fit together. Sweeps follow one another with the same order, so
// rows also wait for the bodies of the sweep before (release times) and are awaited by the sweep
// after (deadlines): both come from a simulation of the previous candidate, and the best of a few
// rounds is kept.
#include "scheduler.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "rank_set.hpp"

namespace ppu::driver {
namespace {

using Cycle = std::int64_t;

constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();

/// The dependencies of a row graph. Rows are in topological order already.
class Dependencies {
 public:
  Dependencies(const RowGraph& graph, const Machine& machine)
      : before_(graph.rows()), distance_(graph.rows(), machine.latency) {
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
      if (graph.parent[row] >= 0) before_[row][2] = static_cast<std::uint32_t>(graph.parent[row]);
    }
    index_successors();
  }

  [[nodiscard]] std::uint32_t rows() const { return static_cast<std::uint32_t>(before_.size()); }
  [[nodiscard]] const std::array<std::uint32_t, 3>& before(std::uint32_t row) const {
    return before_[row];
  }
  /// Cycles from the row to the rows that wait for it.
  [[nodiscard]] Cycle distance(std::uint32_t row) const { return distance_[row]; }
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
  std::vector<std::uint32_t> distance_;
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

/// Moves every deadline ahead of the deadlines of the rows that wait for the row.
void propagate_deadlines(const Dependencies& rows, std::vector<Cycle>& deadline) {
  for (std::uint32_t row = rows.rows(); row-- > 0;)
    for (const std::uint32_t earlier : rows.before(row))
      if (earlier != kNoRow)
        deadline[earlier] = std::min(deadline[earlier], deadline[row] - rows.distance(earlier));
}

/// Rows by deadline, then by number. The deadlines span about a sweep, so there is a bin for each.
std::vector<std::uint32_t> by_deadline(const std::vector<Cycle>& deadline) {
  const auto [low, high] = std::minmax_element(deadline.begin(), deadline.end());
  const auto bin = [first = *low](Cycle cycle) { return static_cast<std::size_t>(cycle - first); };
  std::vector<std::uint32_t> next(bin(*high) + 2, 0);
  for (const Cycle cycle : deadline) ++next[bin(cycle) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::uint32_t> rows(deadline.size());
  for (std::uint32_t row = 0; row < rows.size(); ++row) rows[next[bin(deadline[row])]++] = row;
  return rows;
}

/// Rows that cannot issue yet, by the cycle in which they can: at most `horizon` cycles ahead.
class Calendar {
 public:
  Calendar(std::uint32_t rows, Cycle horizon)
      : next_(rows), first_(static_cast<std::size_t>(horizon + 1), kNoRow) {}

  void add(std::uint32_t row, Cycle cycle) {
    std::uint32_t& first = first_[place(cycle)];
    next_[row] = first;
    first = row;
  }

  /// Calls take(row) for the rows of `cycle`, whose turn it is.
  template <class Take>
  void take(Cycle cycle, Take take) {
    std::uint32_t& first = first_[place(cycle)];
    for (std::uint32_t row = first; row != kNoRow; row = next_[row]) take(row);
    first = kNoRow;
  }

 private:
  [[nodiscard]] std::size_t place(Cycle cycle) const {
    return static_cast<std::size_t>(cycle) % first_.size();
  }

  std::vector<std::uint32_t> next_;   ///< Row after a row in its list, or kNoRow.
  std::vector<std::uint32_t> first_;  ///< Of each cycle.
};

/// One list schedule, by the rules of the issue stage.
class ListSchedule {
 public:
  ListSchedule(const RowGraph& graph, const Dependencies& rows, const Machine& machine,
               Timing timing)
      : rows_(rows),
        machine_(machine),
        release_(std::move(timing.release)),
        missing_(rows.rows(), 0),
        pipe_of_(rows.rows()),
        rank_(rows.rows()),
        waiting_(rows.rows(), Cycle{machine.latency} + 1),
        ready_(rows.rows()),
        pipe_(machine.pipes, 0),
        parent_bank_(machine.pipes, 0) {
    propagate_deadlines(rows, timing.deadline);
    rank_rows(graph, by_deadline(timing.deadline));
    for (std::uint32_t row = 0; row < rows.rows(); ++row) {
      for (const std::uint32_t earlier : rows.before(row))
        if (earlier != kNoRow) ++missing_[row];
      if (missing_[row] == 0) waiting_.add(row, release_[row]);
    }
    order_.reserve(rows.rows());
  }

  RowOrder run() {
    for (Cycle cycle = 0; order_.size() < rows_.rows(); ++cycle) {
      waiting_.take(cycle, [this](std::uint32_t row) { ready_.insert(rank_[row]); });
      fill(cycle);
    }
    return std::move(order_);
  }

 private:
  /// What decides whether a row fits into a cycle.
  struct Candidate {
    std::uint32_t row, parent;
    std::array<std::uint32_t, 2> bank;  ///< That of the static world is never held.
    bool clash;
  };

  void rank_rows(const RowGraph& graph, const std::vector<std::uint32_t>& rows) {
    const BankMap banks(graph, machine_);
    const auto none = static_cast<std::uint32_t>(banks.count());
    bank_.assign(banks.count() + 1, 0);
    candidates_.reserve(rows.size());
    for (const std::uint32_t row : rows) {
      rank_[row] = static_cast<std::uint32_t>(candidates_.size());
      const auto bank = [&](std::int32_t body) {
        return body < 0 ? none : banks.of(static_cast<std::size_t>(body));
      };
      candidates_.push_back({row,
                             rows_.before(row)[2],
                             {bank(graph.body[row][0]), bank(graph.body[row][1])},
                             banks.clash(graph.body[row])});
    }
  }

  /// Issues what fits into `cycle`, the most urgent rows first.
  void fill(Cycle cycle) {
    std::uint32_t issued = 0;
    if (reading_ != RankSet::kEnd) {
      issue(std::exchange(reading_, RankSet::kEnd), cycle);
      ++issued;
    }
    for (std::uint32_t rank = ready_.next(0); rank != RankSet::kEnd; rank = ready_.next(rank + 1)) {
      if (issued == machine_.pipes || pipe_[pipe_of_next()] > cycle) return;
      const Candidate& candidate = candidates_[rank];
      if (!fits(candidate, cycle) || (candidate.clash && issued > 0)) continue;
      ready_.erase(rank);
      if (candidate.clash) {
        // This cycle reads one of its bodies.
        reading_ = rank;
        return;
      }
      issue(rank, cycle);
      ++issued;
    }
  }

  [[nodiscard]] bool fits(const Candidate& candidate, Cycle cycle) const {
    return bank_[candidate.bank[0]] <= cycle && bank_[candidate.bank[1]] <= cycle &&
           (candidate.parent == kNoRow || parent_bank_[pipe_of_[candidate.parent]] <= cycle);
  }

  void issue(std::uint32_t rank, Cycle cycle) {
    const Candidate& candidate = candidates_[rank];
    const std::uint32_t pipe = pipe_of_next();
    pipe_[pipe] = cycle + machine_.interval;
    pipe_of_[candidate.row] = pipe;
    for (const std::uint32_t bank : candidate.bank)
      if (bank + 1 < bank_.size()) bank_[bank] = cycle + (candidate.clash ? 2 : 1);
    if (candidate.parent != kNoRow) parent_bank_[pipe_of_[candidate.parent]] = cycle + 1;
    order_.push_back(candidate.row);
    rows_.for_each_after(candidate.row, [&](std::uint32_t later) {
      Cycle& release = release_[later];
      release = std::max(release, cycle + rows_.distance(candidate.row));
      if (--missing_[later] == 0) waiting_.add(later, release);
    });
  }

  [[nodiscard]] std::uint32_t pipe_of_next() const {
    return static_cast<std::uint32_t>(order_.size() % machine_.pipes);
  }

  const Dependencies& rows_;
  const Machine& machine_;
  std::vector<Cycle> release_;
  std::vector<std::uint8_t> missing_;   ///< Rows that a row waits for and that have not issued.
  std::vector<std::uint32_t> pipe_of_;  ///< By row, once it has issued; its impulse bank too.
  std::vector<std::uint32_t> rank_;     ///< By row: its place in candidates_.
  std::vector<Candidate> candidates_;   ///< The most urgent first.
  Calendar waiting_;
  RankSet ready_;
  std::uint32_t reading_ = RankSet::kEnd;  ///< Rank of the row that issues first in the next cycle.
  std::vector<Cycle> pipe_, bank_, parent_bank_;  ///< First cycles in which they can be used.
  RowOrder order_;
};

/// No in-order sweep is shorter: the pipes' throughput, and the longest chain from first to last
/// issue.
Cycle shortest_period(const Dependencies& rows, const Machine& machine) {
  std::vector<Cycle> deadline(rows.rows(), 0);
  propagate_deadlines(rows, deadline);
  const Cycle full = Cycle{(rows.rows() + machine.pipes - 1) / machine.pipes} * machine.interval;
  const Cycle chain = 1 - *std::min_element(deadline.begin(), deadline.end());
  return std::max(full, chain);
}

}  // namespace

RowOrder schedule(const RowGraph& graph, const Machine& machine) {
  if (graph.rows() == 0) return {};
  constexpr int kRounds = 6;
  const Dependencies rows(graph, machine);
  const Cycle bound = shortest_period(rows, machine);

  RowOrder best = ListSchedule(graph, rows, machine, open_ended(rows)).run();
  SteadyState state = simulate(graph, best, machine);
  Cycle best_period = state.period;
  for (int round = 1; round < kRounds && best_period > bound; ++round) {
    RowOrder order =
        ListSchedule(graph, rows, machine, between_sweeps(rows, state, machine.latency)).run();
    state = simulate(graph, order, machine);
    if (state.period < best_period) {
      best_period = state.period;
      best = std::move(order);
    }
  }
  return best;
}

}  // namespace ppu::driver
