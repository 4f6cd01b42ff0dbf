// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The issue stage of a timed engine: the cycle of every row from timestamps, by the rules of
// docs/device.md (Engine, Issue), and the class of every cycle on the way.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
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
        counters_(counters),
        profile_(profile),
        scoreboard_(rows, bodies) {}

  /// The first instruction executes in `cycle`; no row has issued.
  void start(std::uint64_t cycle) { cursor_ = next_ = drained_ = cycle; }

  /// The rows that follow are of another pass: they do not issue in the cycle of those before.
  void begin_pass() { next_ = cursor_; }

  /// Issues the next row of the pass, which is before the issue stage from `arrival` on.
  Issued issue(const LoadedKernel& kernel, const ppu_row& row, std::uint32_t slot,
               std::uint64_t arrival) {
    const Scoreboard::Ready ready = scoreboard_.ready(kernel, row, slot);
    const std::uint64_t pipe_free = pipe_free_[slot & pipes_];
    const std::uint64_t before = cursor_;
    const std::uint64_t fetch_stall = charge_until(arrival, PPU_COUNTER_FETCH_STALL_CYCLES);
    charge_until(pipe_free, PPU_COUNTER_LANE_CYCLES);
    const std::uint64_t body_stall = charge_until(ready.bodies, PPU_COUNTER_BODY_STALL_CYCLES);
    const std::uint64_t parent_stall =
        charge_until(ready.impulses, PPU_COUNTER_PARENT_STALL_CYCLES);
    const std::uint64_t wanted =
        std::max({next_, arrival, pipe_free, ready.bodies, ready.impulses});
    const Use use = use_of(kernel, row);
    const std::uint64_t cycle = after_banks(use, wanted);
    counters_[PPU_COUNTER_BANK_CONFLICTS] += cycle - wanted;
    charge_until(cycle, PPU_COUNTER_BANK_STALL_CYCLES);
    charge_until(cycle + 1, PPU_COUNTER_ISSUE_CYCLES);
    RowProfile& sums = profile_[slot];
    sums.cycles += static_cast<std::uint32_t>(cursor_ - before);
    sums.body_stall += static_cast<std::uint32_t>(body_stall);
    sums.parent_stall += static_cast<std::uint32_t>(parent_stall);
    sums.fetch_stall += static_cast<std::uint32_t>(fetch_stall);
    return commit(kernel, row, slot, use, cycle);
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
    if (cycle != group_cycle_) {
      group_cycle_ = cycle;
      group_ = {};
    }
    group_.velocity |= use.velocity;
    group_.parent |= use.parent;
    if (use.twice) {
      blocked_cycle_ = cycle + 1;
      blocked_ = use.velocity;
    }
    next_ = cycle;
    drained_ = std::max(drained_, write + 1 + later);
    return {cycle, write};
  }

  static constexpr std::size_t kMostPipes = 16;
  static constexpr std::uint64_t kNoCycle = ~std::uint64_t{0};

  std::uint32_t banks_;  ///< Mask.
  std::uint32_t pipes_;  ///< Mask.
  std::uint64_t interval_;
  std::uint64_t latency_;
  Counters& counters_;
  std::vector<RowProfile>& profile_;
  Scoreboard scoreboard_;

  std::uint64_t cursor_ = 0;   ///< Cycles before it have their class.
  std::uint64_t next_ = 0;     ///< No row issues before it.
  std::uint64_t drained_ = 0;  ///< See drained().
  std::array<std::uint64_t, kMostPipes> pipe_free_{};
  std::uint64_t group_cycle_ = kNoCycle;  ///< Cycle of the last issue ...
  Use group_{};                           ///< ... and the banks used in it.
  std::uint64_t blocked_cycle_ = kNoCycle;
  std::uint64_t blocked_ = 0;  ///< Banks not to be used in blocked_cycle_.
};

}  // namespace ppu::hw
