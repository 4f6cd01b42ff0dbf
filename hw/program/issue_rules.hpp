// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The issue rules as timestamps: for everything that a row waits for, the first cycle in which it
// is there (docs/inside/device.md, Engine, Issue). Equal, cycle for cycle, to a table of busy bits
// that rows in flight hold.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "hw/contract/config.hpp"
#include "hw/program/sequencer.hpp"

namespace ppu::hw {

class IssueRules {
 public:
  /// First cycles in which a row finds its pipe free, its velocities and its impulses.
  struct Ready {
    std::uint64_t pipe, bodies, impulses;
    bool body_b;  ///< Body b comes after body a.
  };
  /// The banks that a row uses, a bit each.
  struct Use {
    std::uint64_t velocity;
    std::uint32_t parent;
    bool same_bank;  ///< See same_bank().
  };
  /// A row that has issued writes its results in cycle `write`.
  struct Issued {
    std::uint64_t cycle, write;
  };

  IssueRules(const Config& config, std::uint32_t rows, std::uint32_t bodies)
      : banks_(config.velocity_banks - 1),
        pipes_(config.pipes - 1),
        interval_(static_cast<std::uint64_t>(initiation_interval(config))),
        latency_(static_cast<std::uint64_t>(body_latency(config))),
        division_(config.fp_div_stages),
        impulse_(rows),
        body_(bodies) {}

  /// No row issues before `cycle`.
  void start(std::uint64_t cycle) { drained_ = cycle; }

  [[nodiscard]] Ready ready(const LoadedKernel& kernel, const ppu_row& row,
                            std::uint32_t slot) const {
    const std::uint64_t a = body(row.body_a), b = body(row.body_b);
    Ready at{pipe_free(slot), std::max(a, b), impulse_[slot], b > a};
    if (reads_parent(kernel, row)) at.impulses = std::max(at.impulses, impulse_[row.parent]);
    return at;
  }

  /// The first cycle in which the pipe of `slot` takes a row.
  [[nodiscard]] std::uint64_t pipe_free(std::uint32_t slot) const {
    return pipe_free_[slot & pipes_];
  }

  /// The first cycle from `next` on in which the row in `slot` may go beside those that went last:
  /// rows that go in one cycle have consecutive slots, one for each pipe at most.
  [[nodiscard]] std::uint64_t beside_others(std::uint64_t next, std::uint32_t slot) const {
    const bool next_cycle = next == group_cycle_ && slot - group_first_ > pipes_;
    return next_cycle ? next + 1 : next;
  }

  [[nodiscard]] Use use_of(const LoadedKernel& kernel, const ppu_row& row) const {
    return {bank_bit(row.body_a) | bank_bit(row.body_b),
            reads_parent(kernel, row) ? 1U << (row.parent & pipes_) : 0U, same_bank(row)};
  }

  /// The first cycle from `wanted` on in which the banks allow a row to issue.
  [[nodiscard]] std::uint64_t after_banks(const Use& use, std::uint64_t wanted) const {
    std::uint64_t cycle = wanted;
    if (!use.same_bank) {
      while (conflict(use, cycle)) ++cycle;
      return cycle;
    }
    // One of its bodies is read in the cycle before it issues.
    while (cycle == group_cycle_ || conflict(use, cycle)) ++cycle;
    return cycle + 1;
  }

  /// The row in `slot` issues in `cycle`.
  Issued issue(const LoadedKernel& kernel, const ppu_row& row, std::uint32_t slot, const Use& use,
               std::uint64_t cycle) {
    const std::uint64_t write = write_of(cycle);
    const std::uint64_t second_write = use.same_bank ? 1 : 0;
    hold(kernel, row, slot, write, write + second_write);
    pipe_free_[slot & pipes_] = cycle + interval_;
    pass_over(slot, cycle);
    group_.velocity |= use.velocity;
    group_.parent |= use.parent;
    if (use.same_bank) {
      blocked_cycle_ = cycle + 1;
      blocked_ = use.velocity;
    }
    drained_ = std::max(drained_, write + 1 + (kernel.divides() ? division_ : second_write));
    return {cycle, write};
  }

  /// The row in `slot` is passed over in `cycle`.
  void pass_over(std::uint32_t slot, std::uint64_t cycle) {
    if (cycle == group_cycle_) return;
    group_cycle_ = cycle;
    group_first_ = slot;
    group_ = {};
  }

  /// The first cycle in which none of the rows so far is in flight.
  [[nodiscard]] std::uint64_t drained() const { return drained_; }

  /// The cycle in which a row that issues in `cycle` writes its results.
  [[nodiscard]] std::uint64_t write_of(std::uint64_t cycle) const { return cycle + latency_; }

  /// True if both bodies of the row lie in one velocity bank: one is read a cycle before the row
  /// issues, and b is written a cycle after a.
  [[nodiscard]] bool same_bank(const ppu_row& row) const {
    return (bank_bit(row.body_a) & bank_bit(row.body_b)) != 0;
  }

 private:
  static bool reads_parent(const LoadedKernel& kernel, const ppu_row& row) {
    return kernel.reads_parent() && row.parent != PPU_NONE;
  }

  [[nodiscard]] std::uint64_t body(std::uint32_t index) const {
    return index == PPU_NONE ? 0 : body_[index];
  }

  [[nodiscard]] std::uint64_t bank_bit(std::uint32_t body) const {
    return body == PPU_NONE ? 0 : std::uint64_t{1} << (body & banks_);
  }

  /// True if a row may not use its banks in `cycle`.
  [[nodiscard]] bool conflict(const Use& use, std::uint64_t cycle) const {
    const bool shared = cycle == group_cycle_ && ((use.velocity & group_.velocity) != 0 ||
                                                  (use.parent & group_.parent) != 0);
    return shared || (cycle == blocked_cycle_ && (use.velocity & blocked_) != 0);
  }

  /// What the row writes is there for rows that issue from `cycle` on, the velocity of its body b
  /// from `cycle_b` on.
  void hold(const LoadedKernel& kernel, const ppu_row& row, std::uint32_t slot, std::uint64_t cycle,
            std::uint64_t cycle_b) {
    if (kernel.stores_impulse()) impulse_[slot] = cycle;
    if (!kernel.stores_velocity()) return;
    if (row.body_a != PPU_NONE) body_[row.body_a] = cycle;
    if (row.body_b != PPU_NONE) body_[row.body_b] = cycle_b;
  }

  static constexpr std::size_t kMostPipes = 16;
  static constexpr std::uint64_t kNoCycle = ~std::uint64_t{0};

  std::uint32_t banks_;     ///< Mask.
  std::uint32_t pipes_;     ///< Mask.
  std::uint64_t interval_;  ///< Cycles from row to row of a pipe.
  std::uint64_t latency_;   ///< Cycles from the issue of a row to its write.
  std::uint64_t division_;  ///< Cycles by which a divided residual comes after the write.
  // First cycles in which a row that needs it may issue.
  std::vector<std::uint64_t> impulse_;
  std::vector<std::uint64_t> body_;
  std::array<std::uint64_t, kMostPipes> pipe_free_{};
  std::uint64_t drained_ = 0;             ///< See drained().
  std::uint64_t group_cycle_ = kNoCycle;  ///< In which the last row went.
  std::uint32_t group_first_ = 0;         ///< First slot that went in that cycle.
  Use group_{};                           ///< Banks used in that cycle.
  std::uint64_t blocked_cycle_ = kNoCycle;
  std::uint64_t blocked_ = 0;  ///< Velocity banks not to be used in blocked_cycle_.
};

}  // namespace ppu::hw
