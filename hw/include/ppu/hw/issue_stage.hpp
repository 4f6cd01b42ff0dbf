// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The issue stage of a timed engine: the cycle of every row from timestamps, by the rules of
// docs/device.md (Engine, Issue), and the class of every cycle on the way.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ppu/hw/config.hpp"
#include "ppu/hw/row_profile.hpp"
#include "ppu/hw/scoreboard.hpp"

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
        counters_(counters),
        profile_(profile),
        scoreboard_(rows, bodies) {}

  /// The first instruction executes in `cycle`; no row has issued.
  void start(std::uint64_t cycle) { cursor_ = next_ = gone_ = drained_ = cycle; }

  /// No row issues or is passed over from `cycle` on.
  void set_limit(std::uint64_t cycle) { limit_ = cycle; }

  /// The rows that follow are of another pass: they do not issue in the cycle of those before.
  /// Cycles in which the next one has not arrived are of class `arrival`.
  void begin_pass(ppu_counter arrival) {
    next_ = cursor_;
    arrival_class_ = arrival;
  }

  /// Issues the next row of the pass, which is before the issue stage from `arrival` on; none if it
  /// does not issue before the limit.
  std::optional<Issued> issue(const LoadedKernel& kernel, const ppu_row& row, std::uint32_t slot,
                              std::uint64_t arrival) {
    const Scoreboard::Ready ready = scoreboard_.ready(kernel, row, slot);
    const std::uint64_t pipe_free = pipe_free_[slot & pipes_];
    const std::uint64_t wanted =
        std::max({turn_of(slot), arrival, pipe_free, ready.bodies, ready.impulses});
    const Use use = use_of(kernel, row);
    const std::uint64_t cycle = after_banks(use, wanted);
    const std::uint64_t before = cursor_;
    if (cycle >= passed_) settle();
    RowProfile& sums = profile_[slot];
    sums.fetch_stall += wait_for_arrival(arrival);
    wait_until(pipe_free, PPU_COUNTER_LANE_CYCLES);
    sums.body_stall += wait_until(ready.bodies, PPU_COUNTER_BODY_STALL_CYCLES);
    sums.parent_stall += wait_until(ready.impulses, PPU_COUNTER_PARENT_STALL_CYCLES);
    counters_[PPU_COUNTER_BANK_CONFLICTS] += std::min(cycle, limit_) - std::min(wanted, limit_);
    wait_until(cycle, PPU_COUNTER_BANK_STALL_CYCLES);
    wait_until(cycle + 1, PPU_COUNTER_ISSUE_CYCLES);
    sums.cycles += static_cast<std::uint32_t>(cursor_ - before);
    if (cycle >= limit_) return std::nullopt;
    return commit(kernel, row, slot, use, cycle);
  }

  /// Passes over the next row of the pass; the cycle in which that happens, if before the limit.
  std::optional<std::uint64_t> pass_over(std::uint32_t slot, std::uint64_t arrival) {
    const std::uint64_t cycle = std::max(turn_of(slot), arrival);
    const std::uint64_t before = cursor_;
    if (cycle >= passed_) settle();
    profile_[slot].fetch_stall += wait_for_arrival(arrival);
    profile_[slot].cycles += static_cast<std::uint32_t>(cursor_ - before);
    if (cycle >= limit_) return std::nullopt;
    enter(slot, cycle);
    passed_ = gone_;
    return cycle;
  }

  /// The next row, in `slot`, cannot issue before the limit, because it does not arrive before it.
  void never_arrives(std::uint32_t slot) {
    const std::uint64_t before = cursor_;
    settle();
    profile_[slot].fetch_stall += wait_for_arrival(limit_);
    profile_[slot].cycles += static_cast<std::uint32_t>(cursor_ - before);
  }

  /// The next row, in `slot`, is a bad one: waits until no row is in flight. False if that is not
  /// before the limit.
  bool wait_to_end(std::uint32_t slot, std::uint64_t arrival) {
    const std::uint64_t before = cursor_;
    settle();
    profile_[slot].fetch_stall += wait_for_arrival(arrival);
    wait_until(pipe_free_[slot & pipes_], PPU_COUNTER_LANE_CYCLES);
    const std::uint64_t cycle = std::max({gone_, arrival, drained_});
    profile_[slot].body_stall += wait_until(cycle, PPU_COUNTER_BODY_STALL_CYCLES);
    profile_[slot].cycles += static_cast<std::uint32_t>(cursor_ - before);
    return cycle < limit_;
  }

  /// The pass ends; the search of its rows ended in the cycle before `searched`. `slot` is its last
  /// row.
  void end_pass(std::uint32_t slot, std::uint64_t searched) {
    const std::uint64_t before = cursor_;
    settle();
    wait_until(searched, PPU_COUNTER_FILTER_CYCLES);
    profile_[slot].cycles += static_cast<std::uint32_t>(cursor_ - before);
  }

  /// The first cycle in which none of the rows so far is in flight.
  [[nodiscard]] std::uint64_t drained() const { return drained_; }

  /// The cycle after the last issue, or after the last cycle charged.
  [[nodiscard]] std::uint64_t cursor() const { return cursor_; }

  /// Charges the cycles from the cursor up to `cycle`, if any, to a class; returns how many.
  std::uint64_t charge_until(std::uint64_t cycle, ppu_counter cycle_class) {
    if (cycle <= cursor_) return 0;
    const std::uint64_t cycles = cycle - cursor_;
    counters_[static_cast<std::size_t>(cycle_class)] += cycles;
    cursor_ = cycle;
    return cycles;
  }

 private:
  /// The banks that a row uses, a bit each.
  struct Use {
    std::uint64_t velocity;
    std::uint32_t parent;
    bool twice;  ///< Both bodies lie in one bank.
  };

  /// Charges the last cycle in which a row was passed over and none issued.
  void settle() { charge_until(passed_, PPU_COUNTER_FILTER_CYCLES); }

  std::uint32_t wait_until(std::uint64_t cycle, ppu_counter cycle_class) {
    return static_cast<std::uint32_t>(charge_until(std::min(cycle, limit_), cycle_class));
  }
  /// Returns the cycles that are a fetch stall.
  std::uint32_t wait_for_arrival(std::uint64_t cycle) {
    const std::uint32_t cycles = wait_until(cycle, arrival_class_);
    return arrival_class_ == PPU_COUNTER_FETCH_STALL_CYCLES ? cycles : 0;
  }

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
  Counters& counters_;
  std::vector<RowProfile>& profile_;
  Scoreboard scoreboard_;

  std::uint64_t cursor_ = 0;   ///< Cycles before it have their class.
  std::uint64_t next_ = 0;     ///< No row issues before it.
  std::uint64_t drained_ = 0;  ///< See drained().
  std::uint64_t limit_ = kNoCycle;
  std::uint64_t gone_ = 0;    ///< Cycle after the last row issued or was passed over, ...
  std::uint64_t passed_ = 0;  ///< ... and after the last one was passed over.
  ppu_counter arrival_class_ = PPU_COUNTER_FETCH_STALL_CYCLES;
  std::array<std::uint64_t, kMostPipes> pipe_free_{};
  std::uint64_t group_cycle_ = kNoCycle;  ///< Cycle of the last row that went ...
  std::uint32_t group_first_ = 0;         ///< The first row that went in that cycle ...
  Use group_{};                           ///< ... and the banks used in it.
  std::uint64_t blocked_cycle_ = kNoCycle;
  std::uint64_t blocked_ = 0;  ///< Banks not to be used in blocked_cycle_.
};

}  // namespace ppu::hw
