// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The class of every cycle of a run, and the share of every row (docs/inside/device.md, Engine):
// stretches of cycles are charged in order, as soon as it is known what the next row waited for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "hw/contract/row_profile.hpp"
#include "hw/contract/run.hpp"

namespace ppu::hw {

class CycleClasses {
 public:
  /// First cycles in which what a row waits for is there, in the order of the classes.
  struct Waits {
    std::uint64_t arrival = 0, lanes = 0, bodies = 0, impulses = 0;
    std::uint64_t wanted = 0;  ///< It could issue but for the banks.
    std::uint64_t cycle = 0;   ///< It issues.
    bool body_b = false;       ///< Of its bodies, b comes last.
  };

  /// Cycles from `cycle` on in which no row issued.
  struct Wait {
    std::uint64_t cycle;
    std::uint32_t cycles;
    ppu_counter reason;
    bool body_b;         ///< Of a wait for a body: b came last.
    std::uint32_t slot;  ///< Of the row that waited, or PPU_NONE.
  };
  using OnWait = std::function<void(const Wait&)>;

  /// Counts into `counters` and, by slot, into `profile`.
  CycleClasses(Counters& counters, std::vector<RowProfile>& profile)
      : counters_(counters), profile_(profile) {}

  /// Told of every wait, once it is known which row has waited.
  void on_wait(OnWait on_wait) { on_wait_ = std::move(on_wait); }

  /// The first cycle.
  void start(std::uint64_t cycle) { cursor_ = cycle; }
  /// Cycles in which the next row of a pass has not arrived are of class `arrival`.
  void begin_pass(ppu_counter arrival) { arrival_class_ = arrival; }
  /// The cycle after the last one charged.
  [[nodiscard]] std::uint64_t cursor() const { return cursor_; }

  /// The row in `slot` issues.
  void issue(std::uint32_t slot, const Waits& waits) {
    const std::uint64_t before = cursor_;
    if (waits.cycle >= passed_) settle(slot);
    charge_waits(slot, waits);
    visit(slot);
    charge_until(waits.cycle + 1, PPU_COUNTER_ISSUE_CYCLES);
    add_cycles(slot, before, waits.body_b);
  }

  /// The row in `slot` is passed over in `cycle`: of class `filter` if no row behind it issues.
  void pass_over(std::uint32_t slot, std::uint64_t arrival, std::uint64_t cycle) {
    const std::uint64_t before = cursor_;
    if (cycle >= passed_) settle(slot);
    wait_for_arrival(slot, arrival);
    passed_ = cycle + 1;
    add_cycles(slot, before);
  }

  /// The row in `slot` waits, and neither issues nor is passed over before `end`.
  void wait(std::uint32_t slot, Waits waits, std::uint64_t end) {
    const std::uint64_t before = cursor_;
    settle(slot);
    for (std::uint64_t* cycle : {&waits.arrival, &waits.lanes, &waits.bodies, &waits.impulses,
                                 &waits.wanted, &waits.cycle})
      *cycle = std::min(*cycle, end);
    charge_waits(slot, waits);
    add_cycles(slot, before, waits.body_b);
  }

  /// The pass ends; the search of its rows ended in the cycle before `searched`. `slot` is its last
  /// row.
  void end_pass(std::uint32_t slot, std::uint64_t searched) {
    const std::uint64_t before = cursor_;
    settle(slot);
    profile_[slot].filter_stall += charge_until(searched, PPU_COUNTER_FILTER_CYCLES);
    add_cycles(slot, before);
  }

  /// Of the cycles charged since the last call, these are the share of the row in `slot`, which
  /// issues in the last of them.
  void credit(std::uint32_t slot, const RowProfile& share) {
    RowProfile& sums = profile_[slot];
    sums.cycles += share.cycles;
    sums.body_stall += share.body_stall;
    sums.body_b_stall += share.body_b_stall;
    sums.fetch_stall += share.fetch_stall;
    sums.lane_stall += share.lane_stall;
    sums.bank_stall += share.bank_stall;
    sums.filter_stall += share.filter_stall;
    tell(slot, share.body_b_stall > 0);
  }
  /// The row in `slot` issues.
  void visit(std::uint32_t slot) { ++profile_[slot].visits; }
  void add(ppu_counter counter, std::uint64_t count) {
    counters_[static_cast<std::size_t>(counter)] += count;
  }

  /// Charges the cycles from the cursor up to `cycle`, if any, to a class; returns how many.
  std::uint32_t charge_until(std::uint64_t cycle, ppu_counter cycle_class) {
    if (cycle <= cursor_) return 0;
    const std::uint64_t cycles = cycle - cursor_;
    counters_[static_cast<std::size_t>(cycle_class)] += cycles;
    if (on_wait_ && cycle_class != PPU_COUNTER_ISSUE_CYCLES) keep(cycles, cycle_class);
    cursor_ = cycle;
    return static_cast<std::uint32_t>(cycles);
  }
  /// The same of cycles in which there is no row to wait.
  void charge_without_row(std::uint64_t cycle, ppu_counter cycle_class) {
    const std::vector<Wait> of_row = std::exchange(waits_, {});
    charge_until(cycle, cycle_class);
    tell(PPU_NONE, false);
    waits_ = of_row;
  }

 private:
  /// Charges the last cycle in which a row was passed over and none issued.
  void settle(std::uint32_t slot) {
    profile_[slot].filter_stall += charge_until(passed_, PPU_COUNTER_FILTER_CYCLES);
  }

  void wait_for_arrival(std::uint32_t slot, std::uint64_t arrival) {
    const std::uint32_t cycles = charge_until(arrival, arrival_class_);
    if (arrival_class_ == PPU_COUNTER_FETCH_STALL_CYCLES) profile_[slot].fetch_stall += cycles;
  }

  void charge_waits(std::uint32_t slot, const Waits& waits) {
    RowProfile& sums = profile_[slot];
    wait_for_arrival(slot, waits.arrival);
    sums.lane_stall += charge_until(waits.lanes, PPU_COUNTER_LANE_CYCLES);
    const std::uint32_t body = charge_until(waits.bodies, PPU_COUNTER_BODY_STALL_CYCLES);
    sums.body_stall += body;
    if (waits.body_b) sums.body_b_stall += body;
    sums.parent_stall += charge_until(waits.impulses, PPU_COUNTER_PARENT_STALL_CYCLES);
    counters_[PPU_COUNTER_BANK_CONFLICTS] += waits.cycle - waits.wanted;
    sums.bank_stall += charge_until(waits.cycle, PPU_COUNTER_BANK_STALL_CYCLES);
  }

  void add_cycles(std::uint32_t slot, std::uint64_t before, bool body_b = false) {
    profile_[slot].cycles += static_cast<std::uint32_t>(cursor_ - before);
    tell(slot, body_b);
  }

  // Out of the loop over cycles, in which nobody listens.
  [[gnu::cold, gnu::noinline]] void keep(std::uint64_t cycles, ppu_counter reason) {
    const auto count = static_cast<std::uint32_t>(cycles);
    if (!waits_.empty() && waits_.back().reason == reason &&
        waits_.back().cycle + waits_.back().cycles == cursor_)
      waits_.back().cycles += count;
    else
      waits_.push_back({cursor_, count, reason, false, PPU_NONE});
  }
  void tell(std::uint32_t slot, bool body_b) {
    if (!waits_.empty()) tell_all(slot, body_b);
  }
  [[gnu::cold, gnu::noinline]] void tell_all(std::uint32_t slot, bool body_b) {
    for (Wait& wait : waits_) {
      wait.slot = slot;
      wait.body_b = body_b;
      on_wait_(wait);
    }
    waits_.clear();
  }

  Counters& counters_;
  std::vector<RowProfile>& profile_;
  std::uint64_t cursor_ = 0;
  std::uint64_t passed_ = 0;  ///< Cycle after the last one in which a row was passed over.
  ppu_counter arrival_class_ = PPU_COUNTER_FETCH_STALL_CYCLES;
  OnWait on_wait_;
  std::vector<Wait> waits_;  ///< Of a row that is not known yet.
};

}  // namespace ppu::hw
