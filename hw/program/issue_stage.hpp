// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The issue stage of a timed engine: the cycle of every row by the issue rules, with the class of
// every cycle on the way, up to a cycle from which no row goes any more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "hw/program/cycle_classes.hpp"
#include "hw/program/issue_rules.hpp"

namespace ppu::hw {

class IssueStage {
 public:
  using Issued = IssueRules::Issued;

  /// Counts into `counters` and, by slot, into `profile`.
  IssueStage(const Config& config, std::uint32_t rows, std::uint32_t bodies, Counters& counters,
             std::vector<RowProfile>& profile)
      : looked_at_(static_cast<std::uint64_t>(looked_at_cycles(config))),
        classes_(counters, profile),
        rules_(config, rows, bodies) {}

  /// The first instruction executes in `cycle`; no row has issued.
  void start(std::uint64_t cycle) {
    next_ = gone_ = cycle;
    rules_.start(cycle);
    classes_.start(cycle);
  }

  /// No row issues or is passed over from `limit` on. A row that would go in `horizon` or later,
  /// but before the limit, is not looked at yet: nothing counts.
  void set_limit(std::uint64_t limit, std::uint64_t horizon) {
    limit_ = limit;
    bound_ = std::min(limit, horizon);
  }

  /// The rows that follow are of another pass: they do not issue in the cycle of those before.
  /// Cycles in which the next one has not arrived are of class `arrival`.
  void begin_pass(ppu_counter arrival) {
    next_ = begun_ = classes_.cursor();
    classes_.begin_pass(arrival);
  }

  /// Issues the next row of the pass, which is at the head of its pipe from `head` on; none if it
  /// does not issue before the limit and the horizon.
  std::optional<Issued> issue(const LoadedKernel& kernel, const ppu_row& row, std::uint32_t slot,
                              std::uint64_t head) {
    const std::uint64_t arrival = ready_from(head);
    const IssueRules::Ready ready = rules_.ready(kernel, row, slot);
    const std::uint64_t turn = rules_.beside_others(next_, slot);
    const std::uint64_t wanted =
        std::max({turn, arrival, ready.pipe, ready.bodies, ready.impulses});
    const IssueRules::Use use = rules_.use_of(kernel, row);
    const std::uint64_t cycle = rules_.after_banks(use, wanted);
    const Waits waits{arrival, ready.pipe, ready.bodies, ready.impulses,
                      wanted,  cycle,      ready.body_b};
    if (cycle >= bound_) {
      wait(slot, waits);
      return std::nullopt;
    }
    classes_.issue(slot, waits);
    went(cycle);
    return rules_.issue(kernel, row, slot, use, cycle);
  }

  /// Passes over the next row of the pass; the cycle in which that happens, if before the limit and
  /// the horizon.
  std::optional<std::uint64_t> pass_over(std::uint32_t slot, std::uint64_t head) {
    const std::uint64_t arrival = ready_from(head);
    const std::uint64_t cycle = std::max(rules_.beside_others(next_, slot), arrival);
    if (cycle >= bound_) {
      wait(slot, Waits{arrival});
      return std::nullopt;
    }
    classes_.pass_over(slot, arrival, cycle);
    went(cycle);
    rules_.pass_over(slot, cycle);
    return cycle;
  }

  /// The next row, in `slot`, cannot issue before the limit, because it does not arrive before it.
  void never_arrives(std::uint32_t slot) { classes_.wait(slot, Waits{limit_}, limit_); }

  /// The next row, in `slot`, is a bad one: the first cycle in which no row is in flight, if that
  /// is before the limit and the horizon.
  std::optional<std::uint64_t> wait_to_end(std::uint32_t slot, std::uint64_t head) {
    const std::uint64_t arrival = ready_from(head);
    const std::uint64_t cycle = std::max({gone_, arrival, drained()});
    wait(slot, Waits{arrival, rules_.pipe_free(slot), cycle});
    if (cycle >= bound_) return std::nullopt;
    return cycle;
  }

  /// The pass ends; the search of its rows ended in the cycle before `searched`. `slot` is its last
  /// row.
  void end_pass(std::uint32_t slot, std::uint64_t searched) { classes_.end_pass(slot, searched); }

  /// The first cycle in which none of the rows so far is in flight.
  [[nodiscard]] std::uint64_t drained() const { return rules_.drained(); }

  /// The classes of the cycles, for rows that issue in another way.
  [[nodiscard]] CycleClasses& classes() { return classes_; }

  /// The cycle after the last issue, or after the last cycle charged.
  [[nodiscard]] std::uint64_t cursor() const { return classes_.cursor(); }

  /// Charges the cycles from the cursor up to `cycle`, if any, to a class, and to no row.
  void charge_until(std::uint64_t cycle, ppu_counter cycle_class) {
    classes_.charge_without_row(cycle, cycle_class);
  }

 private:
  using Waits = CycleClasses::Waits;

  /// The row in `slot` waits, until the limit if it is known what comes before it.
  void wait(std::uint32_t slot, const Waits& waits) {
    if (bound_ == limit_) classes_.wait(slot, waits, limit_);
  }

  /// The first cycle in which the next row may issue. With stages in front of the choice that is
  /// behind those cycles, from when it is at the head of its pipe, its pass has begun and the row
  /// before it has gone.
  [[nodiscard]] std::uint64_t ready_from(std::uint64_t head) const {
    return looked_at_ == 0 ? head : std::max({head, begun_, gone_}) + looked_at_;
  }

  /// A row issues or is passed over in `cycle`.
  void went(std::uint64_t cycle) {
    next_ = cycle;
    gone_ = cycle + 1;
  }

  static constexpr std::uint64_t kNoCycle = ~std::uint64_t{0};

  std::uint64_t looked_at_;  ///< Cycles for which a row is looked at before it may issue.
  CycleClasses classes_;
  IssueRules rules_;
  std::uint64_t limit_ = kNoCycle;
  std::uint64_t bound_ = kNoCycle;  ///< The limit or the horizon, whichever comes first.
  std::uint64_t next_ = 0;          ///< No row issues before it.
  std::uint64_t begun_ = 0;         ///< The first cycle of the pass.
  std::uint64_t gone_ = 0;          ///< Cycle after the last row issued or was passed over.
};

}  // namespace ppu::hw
