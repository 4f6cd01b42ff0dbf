// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The list scheduler: rows ranked by deadline, a calendar of the rows that wait and a set of those
// that are ready.
#include "driver/plan/list_schedule.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "driver/plan/rank_set.hpp"

namespace ppu::driver {
namespace {

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
        reads_left_(machine.pipes, 0) {
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
      waiting_.take(cycle, [this](std::uint32_t row) { become_ready(row); });
      fill(cycle);
    }
    return std::move(order_);
  }

 private:
  /// A row and the banks that it uses in the cycle of its issue: those of its bodies, and that of
  /// its parent's impulse, known once the parent has issued. The last bank, used where there is no
  /// body or parent, takes any number of rows.
  struct Candidate {
    std::uint32_t row;
    std::array<std::uint32_t, 3> bank;
    bool clash;                    ///< Both bodies in one bank.
    std::uint32_t velocity_banks;  ///< How many it uses.
  };

  void rank_rows(const RowGraph& graph, const std::vector<std::uint32_t>& rows) {
    const BankMap banks(graph, machine_);
    first_impulse_bank_ = static_cast<std::uint32_t>(banks.count());
    no_bank_ = first_impulse_bank_ + machine_.pipes;
    bank_.assign(no_bank_ + 1, 0);
    const auto bank = [&](std::int32_t body) {
      return body < 0 ? no_bank_ : banks.of(static_cast<std::size_t>(body));
    };
    candidates_.reserve(rows.size());
    for (const std::uint32_t row : rows) {
      const Bodies& body = graph.body[row];
      rank_[row] = static_cast<std::uint32_t>(candidates_.size());
      const bool clash = banks.clash(body);
      const auto used = static_cast<std::uint32_t>((body[0] >= 0) + (body[1] >= 0) - clash);
      candidates_.push_back({row, {bank(body[0]), bank(body[1]), no_bank_}, clash, used});
    }
  }

  void become_ready(std::uint32_t row) {
    const std::uint32_t parent = rows_.parent(row);
    if (parent != kNoRow) candidates_[rank_[row]].bank[2] = first_impulse_bank_ + pipe_of_[parent];
    ready_.insert(rank_[row]);
  }

  /// Issues what fits into `cycle`, the most urgent rows first.
  void fill(Cycle cycle) {
    group_.clear();
    free_banks_ = std::max(first_impulse_bank_, 1U);
    if (reading_ != RankSet::kEnd) join(std::exchange(reading_, RankSet::kEnd), cycle);
    for (std::uint32_t rank = ready_.next(0); rank != RankSet::kEnd; rank = ready_.next(rank + 1)) {
      if (group_.size() == machine_.pipes || pipe_[pipe_of(group_.size())] > cycle) break;
      if (free_banks_ == 0) break;
      const Candidate& candidate = candidates_[rank];
      if (!fits(candidate, cycle) || (candidate.clash && !group_.empty())) continue;
      ready_.erase(rank);
      if (candidate.clash) {
        // This cycle reads one of its bodies.
        reading_ = rank;
        return;
      }
      join(rank, cycle);
    }
    balance();
    for (const std::uint32_t rank : group_) issue(candidates_[rank], cycle);
  }

  [[nodiscard]] bool fits(const Candidate& candidate, Cycle cycle) const {
    // One branch: nothing foretells which of the banks is held.
    const auto& [a, b, parent] = candidate.bank;
    return std::max({bank_[a], bank_[b], bank_[parent]}) <= cycle;
  }

  /// Takes a row into the group of `cycle`, with the banks that it uses.
  void join(std::uint32_t rank, Cycle cycle) {
    const Candidate& candidate = candidates_[rank];
    for (const std::uint32_t bank : candidate.bank) bank_[bank] = cycle + 1;
    // The second velocity is written one cycle later than the first.
    if (candidate.clash) ++bank_[candidate.bank[0]];
    bank_[no_bank_] = 0;
    free_banks_ -= candidate.velocity_banks;
    group_.push_back(rank);
  }

  /// Orders the group so that the impulses that most rows will read as their parent's go to the
  /// banks of which fewest are still to be read.
  void balance() {
    const std::size_t first = !group_.empty() && candidates_[group_[0]].clash ? 1 : 0;
    const std::size_t count = group_.size() - first;
    if (count < 2) return;
    const auto children = [this](std::uint32_t rank) {
      return rows_.children(candidates_[rank].row);
    };
    const auto rows = group_.begin() + static_cast<std::ptrdiff_t>(first);
    if (std::none_of(rows, group_.end(), children)) return;
    std::sort(rows, group_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(children(b), a) < std::pair(children(a), b);
    });
    places_.resize(count);
    std::iota(places_.begin(), places_.end(), first);
    std::sort(places_.begin(), places_.end(), [this](std::size_t a, std::size_t b) {
      return std::pair(reads_left_[pipe_of(a)], a) < std::pair(reads_left_[pipe_of(b)], b);
    });
    sorted_.assign(rows, group_.end());
    for (std::size_t i = 0; i < count; ++i) group_[places_[i]] = sorted_[i];
  }

  void issue(const Candidate& candidate, Cycle cycle) {
    const std::uint32_t pipe = pipe_of(0);
    pipe_[pipe] = cycle + machine_.interval;
    pipe_of_[candidate.row] = pipe;
    reads_left_[pipe] += rows_.children(candidate.row);
    if (candidate.bank[2] != no_bank_) --reads_left_[candidate.bank[2] - first_impulse_bank_];
    order_.push_back(candidate.row);
    rows_.for_each_after(candidate.row, [&](std::uint32_t later) {
      Cycle& release = release_[later];
      release = std::max(release, cycle + rows_.distance(candidate.row));
      if (--missing_[later] == 0) waiting_.add(later, release);
    });
  }

  /// Pipe of the row after the next `rows` rows.
  [[nodiscard]] std::uint32_t pipe_of(std::size_t rows) const {
    return static_cast<std::uint32_t>((order_.size() + rows) % machine_.pipes);
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
  std::uint32_t first_impulse_bank_ = 0, no_bank_ = 0;
  std::uint32_t free_banks_ = 0;           ///< Velocity banks that the group does not use.
  std::vector<Cycle> pipe_, bank_;         ///< First cycles in which they can be used.
  std::vector<std::uint32_t> reads_left_;  ///< Of an impulse bank, by rows whose parent is there.
  std::vector<std::uint32_t> group_, sorted_;
  std::vector<std::size_t> places_;
  RowOrder order_;
};

}  // namespace

/// Moves every deadline ahead of the deadlines of the rows that wait for the row.
void propagate_deadlines(const Dependencies& rows, std::vector<Cycle>& deadline) {
  for (std::uint32_t row = rows.rows(); row-- > 0;)
    for (const std::uint32_t earlier : rows.before(row))
      if (earlier != kNoRow)
        deadline[earlier] = std::min(deadline[earlier], deadline[row] - rows.distance(earlier));
}

RowOrder list_schedule(const RowGraph& graph, const Dependencies& rows, const Machine& machine,
                       Timing timing) {
  return ListSchedule(graph, rows, machine, std::move(timing)).run();
}

}  // namespace ppu::driver
