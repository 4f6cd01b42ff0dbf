// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The issue stage of a timed engine: the cycle of every row from timestamps, by the rules of
// docs/inside/device.md (Engine, Issue), with the class of every cycle on the way.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "hw/contract/config.hpp"
#include "hw/program/cycle_classes.hpp"
#include "hw/program/scoreboard.hpp"

namespace ppu::hw {

class IssueStage {
 public:
  /// A row that has issued writes its results in cycle `write`.
  struct Issued {
    std::uint64_t cycle;
    std::uint64_t write;
  };

  /// Counts into `counters` and, by slot, into `profile`.
  IssueStage(const Config& config, std::uint32_t rows, std::uint32_t bodies, Counters& counters,
             std::vector<RowProfile>& profile)
      : banks_(config.velocity_banks - 1),
        pipes_(config.pipes - 1),
        interval_(static_cast<std::uint64_t>(initiation_interval(config))),
        latency_(static_cast<std::uint64_t>(body_latency(config))),
        division_(config.fp_div_stages),
        classes_(counters, profile),
        scoreboard_(rows, bodies) {}

  /// The first instruction executes in `cycle`; no row has issued.
  void start(std::uint64_t cycle) {
    next_ = gone_ = drained_ = cycle;
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
    next_ = classes_.cursor();
    classes_.begin_pass(arrival);
  }

  /// Issues the next row of the pass, which is before the issue stage from `arrival` on; none if it
  /// does not issue before the limit and the horizon.
  std::optional<Issued> issue(const LoadedKernel& kernel, const ppu_row& row, std::uint32_t slot,
                              std::uint64_t arrival) {
    const Scoreboard::Ready ready = scoreboard_.ready(kernel, row, slot);
    const std::uint64_t pipe_free = pipe_free_[slot & pipes_];
    const std::uint64_t wanted =
        std::max({turn_of(slot), arrival, pipe_free, ready.bodies, ready.impulses});
    const Use use = use_of(kernel, row);
    const std::uint64_t cycle = after_banks(use, wanted);
    const Waits waits{arrival, pipe_free, ready.bodies, ready.impulses, wanted, cycle};
    if (cycle >= bound_) {
      wait(slot, waits);
      return std::nullopt;
    }
    classes_.issue(slot, waits);
    return commit(kernel, row, slot, use, cycle);
  }

  /// Passes over the next row of the pass; the cycle in which that happens, if before the limit and
  /// the horizon.
  std::optional<std::uint64_t> pass_over(std::uint32_t slot, std::uint64_t arrival) {
    const std::uint64_t cycle = std::max(turn_of(slot), arrival);
    if (cycle >= bound_) {
      wait(slot, Waits{arrival});
      return std::nullopt;
    }
    classes_.pass_over(slot, arrival, cycle);
    enter(slot, cycle);
    return cycle;
  }

  /// The next row, in `slot`, cannot issue before the limit, because it does not arrive before it.
  void never_arrives(std::uint32_t slot) { classes_.wait(slot, Waits{limit_}, limit_); }

  /// The next row, in `slot`, is a bad one: the first cycle in which no row is in flight, if that
  /// is before the limit and the horizon.
  std::optional<std::uint64_t> wait_to_end(std::uint32_t slot, std::uint64_t arrival) {
    const std::uint64_t cycle = std::max({gone_, arrival, drained_});
    wait(slot, Waits{arrival, pipe_free_[slot & pipes_], cycle});
    if (cycle >= bound_) return std::nullopt;
    return cycle;
  }

  /// The pass ends; the search of its rows ended in the cycle before `searched`. `slot` is its last
  /// row.
  void end_pass(std::uint32_t slot, std::uint64_t searched) { classes_.end_pass(slot, searched); }

  /// The first cycle in which none of the rows so far is in flight.
  [[nodiscard]] std::uint64_t drained() const { return drained_; }

  /// The cycle after the last issue, or after the last cycle charged.
  [[nodiscard]] std::uint64_t cursor() const { return classes_.cursor(); }

  /// Charges the cycles from the cursor up to `cycle`, if any, to a class.
  void charge_until(std::uint64_t cycle, ppu_counter cycle_class) {
    classes_.charge_until(cycle, cycle_class);
  }

 private:
  using Waits = CycleClasses::Waits;

  /// The row in `slot` waits, until the limit if it is known what comes before it.
  void wait(std::uint32_t slot, const Waits& waits) {
    if (bound_ == limit_) classes_.wait(slot, waits, limit_);
  }

  /// The banks that a row uses, a bit each.
  struct Use {
    std::uint64_t velocity;
    std::uint32_t parent;
    bool twice;  ///< Both bodies lie in one bank.
  };

  /// The first cycle in which the rows before it let a row go: those that go in one cycle have
  /// consecutive slots, one for each pipe at most.
  [[nodiscard]] std::uint64_t turn_of(std::uint32_t slot) const {
    const bool next_cycle = next_ == group_cycle_ && slot - group_first_ > pipes_;
    return next_cycle ? next_ + 1 : next_;
  }

  [[nodiscard]] std::uint64_t bank_bit(std::uint32_t body) const {
    return body == PPU_NONE ? 0 : std::uint64_t{1} << (body & banks_);
  }

  [[nodiscard]] Use use_of(const LoadedKernel& kernel, const ppu_row& row) const {
    const std::uint64_t a = bank_bit(row.body_a);
    const std::uint64_t b = bank_bit(row.body_b);
    const bool parent = kernel.reads_parent() && row.parent != PPU_NONE;
    return {a | b, parent ? 1U << (row.parent & pipes_) : 0U, (a & b) != 0};
  }

  /// True if a row may not use its banks in `cycle`.
  [[nodiscard]] bool conflict(const Use& use, std::uint64_t cycle) const {
    const bool shared = cycle == group_cycle_ && ((use.velocity & group_.velocity) != 0 ||
                                                  (use.parent & group_.parent) != 0);
    return shared || (cycle == blocked_cycle_ && (use.velocity & blocked_) != 0);
  }

  /// The first cycle from `wanted` on in which the banks allow the row to issue.
  [[nodiscard]] std::uint64_t after_banks(const Use& use, std::uint64_t wanted) const {
    std::uint64_t cycle = wanted;
    if (!use.twice) {
      while (conflict(use, cycle)) ++cycle;
      return cycle;
    }
    while (cycle == group_cycle_ || conflict(use, cycle)) ++cycle;
    return cycle + 1;
  }

  Issued commit(const LoadedKernel& kernel, const ppu_row& row, std::uint32_t slot, const Use& use,
                std::uint64_t cycle) {
    const std::uint64_t write = cycle + latency_;
    const std::uint64_t later = use.twice ? 1 : 0;
    scoreboard_.hold(kernel, row, slot, write, write + later);
    pipe_free_[slot & pipes_] = cycle + interval_;
    enter(slot, cycle);
    group_.velocity |= use.velocity;
    group_.parent |= use.parent;
    if (use.twice) {
      blocked_cycle_ = cycle + 1;
      blocked_ = use.velocity;
    }
    drained_ = std::max(drained_, write + 1 + (kernel.divides() ? division_ : later));
    return {cycle, write};
  }

  /// The row in `slot` issues or is passed over in `cycle`.
  void enter(std::uint32_t slot, std::uint64_t cycle) {
    if (cycle != group_cycle_) {
      group_cycle_ = cycle;
      group_first_ = slot;
      group_ = {};
    }
    next_ = cycle;
    gone_ = cycle + 1;
  }

  static constexpr std::size_t kMostPipes = 16;
  static constexpr std::uint64_t kNoCycle = ~std::uint64_t{0};

  std::uint32_t banks_;  ///< Mask.
  std::uint32_t pipes_;  ///< Mask.
  std::uint64_t interval_;
  std::uint64_t latency_;
  std::uint64_t division_;
  CycleClasses classes_;
  Scoreboard scoreboard_;

  std::uint64_t limit_ = kNoCycle;
  std::uint64_t bound_ = kNoCycle;  ///< The limit or the horizon, whichever comes first.
  std::uint64_t next_ = 0;          ///< No row issues before it.
  std::uint64_t gone_ = 0;          ///< Cycle after the last row issued or was passed over.
  std::uint64_t drained_ = 0;       ///< See drained().
  std::array<std::uint64_t, kMostPipes> pipe_free_{};
  std::uint64_t group_cycle_ = kNoCycle;  ///< Cycle of the last row that went ...
  std::uint32_t group_first_ = 0;         ///< ... the first row that went in that cycle ...
  Use group_{};                           ///< ... and the banks used in it.
  std::uint64_t blocked_cycle_ = kNoCycle;
  std::uint64_t blocked_ = 0;  ///< Banks not to be used in blocked_cycle_.
};

}  // namespace ppu::hw
