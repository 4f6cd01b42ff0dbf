// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The class of every cycle of a run, and the share of every row (docs/inside/device.md, Engine):
// stretches of cycles are charged in order, as soon as it is known what the next row waited for.
#pragma once

#include <algorithm>
#include <cstdint>
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
  };

  /// Counts into `counters` and, by slot, into `profile`.
  CycleClasses(Counters& counters, std::vector<RowProfile>& profile)
      : counters_(counters), profile_(profile) {}

  /// The first cycle.
  void start(std::uint64_t cycle) { cursor_ = cycle; }
  /// Cycles in which the next row of a pass has not arrived are of class `arrival`.
  void begin_pass(ppu_counter arrival) { arrival_class_ = arrival; }
  /// The cycle after the last one charged.
  [[nodiscard]] std::uint64_t cursor() const { return cursor_; }

  /// The row in `slot` issues.
  void issue(std::uint32_t slot, const Waits& waits) {
    const std::uint64_t before = cursor_;
    if (waits.cycle >= passed_) settle();
    charge_waits(slot, waits);
    charge_until(waits.cycle + 1, PPU_COUNTER_ISSUE_CYCLES);
    add_cycles(slot, before);
  }

  /// The row in `slot` is passed over in `cycle`: of class `filter` if no row behind it issues.
  void pass_over(std::uint32_t slot, std::uint64_t arrival, std::uint64_t cycle) {
    const std::uint64_t before = cursor_;
    if (cycle >= passed_) settle();
    wait_for_arrival(slot, arrival);
    passed_ = cycle + 1;
    add_cycles(slot, before);
  }

  /// The row in `slot` waits, and neither issues nor is passed over before `end`.
  void wait(std::uint32_t slot, Waits waits, std::uint64_t end) {
    const std::uint64_t before = cursor_;
    settle();
    for (std::uint64_t* cycle : {&waits.arrival, &waits.lanes, &waits.bodies, &waits.impulses,
                                 &waits.wanted, &waits.cycle})
      *cycle = std::min(*cycle, end);
    charge_waits(slot, waits);
    add_cycles(slot, before);
  }

  /// The pass ends; the search of its rows ended in the cycle before `searched`. `slot` is its last
  /// row.
  void end_pass(std::uint32_t slot, std::uint64_t searched) {
    const std::uint64_t before = cursor_;
    settle();
    charge_until(searched, PPU_COUNTER_FILTER_CYCLES);
    add_cycles(slot, before);
  }

  /// Of the cycles charged since the last call, these are the share of the row in `slot`, which
  /// issues in the last of them.
  void credit(std::uint32_t slot, const RowProfile& share) {
    RowProfile& sums = profile_[slot];
    sums.cycles += share.cycles;
    sums.body_stall += share.body_stall;
    sums.fetch_stall += share.fetch_stall;
  }
  void add(ppu_counter counter, std::uint64_t count) {
    counters_[static_cast<std::size_t>(counter)] += count;
  }

  /// Charges the cycles from the cursor up to `cycle`, if any, to a class; returns how many.
  std::uint32_t charge_until(std::uint64_t cycle, ppu_counter cycle_class) {
    if (cycle <= cursor_) return 0;
    const std::uint64_t cycles = cycle - cursor_;
    counters_[static_cast<std::size_t>(cycle_class)] += cycles;
    cursor_ = cycle;
    return static_cast<std::uint32_t>(cycles);
  }

 private:
  /// Charges the last cycle in which a row was passed over and none issued.
  void settle() { charge_until(passed_, PPU_COUNTER_FILTER_CYCLES); }

  void wait_for_arrival(std::uint32_t slot, std::uint64_t arrival) {
    const std::uint32_t cycles = charge_until(arrival, arrival_class_);
    if (arrival_class_ == PPU_COUNTER_FETCH_STALL_CYCLES) profile_[slot].fetch_stall += cycles;
  }

  void charge_waits(std::uint32_t slot, const Waits& waits) {
    RowProfile& sums = profile_[slot];
    wait_for_arrival(slot, waits.arrival);
    charge_until(waits.lanes, PPU_COUNTER_LANE_CYCLES);
    sums.body_stall += charge_until(waits.bodies, PPU_COUNTER_BODY_STALL_CYCLES);
    sums.parent_stall += charge_until(waits.impulses, PPU_COUNTER_PARENT_STALL_CYCLES);
    counters_[PPU_COUNTER_BANK_CONFLICTS] += waits.cycle - waits.wanted;
    charge_until(waits.cycle, PPU_COUNTER_BANK_STALL_CYCLES);
  }

  void add_cycles(std::uint32_t slot, std::uint64_t before) {
    profile_[slot].cycles += static_cast<std::uint32_t>(cursor_ - before);
  }

  Counters& counters_;
  std::vector<RowProfile>& profile_;
  std::uint64_t cursor_ = 0;
  std::uint64_t passed_ = 0;  ///< Cycle after the last one in which a row was passed over.
  ppu_counter arrival_class_ = PPU_COUNTER_FETCH_STALL_CYCLES;
};

}  // namespace ppu::hw
