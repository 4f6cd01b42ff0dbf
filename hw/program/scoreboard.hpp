// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The scoreboard as timestamps: for every body and every impulse the first cycle at which a row
// that reads it may issue. Equal, cycle for cycle, to a table of busy bits that rows in flight
// hold.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/program/sequencer.hpp"

namespace ppu::hw {

class Scoreboard {
 public:
  /// First cycles at which the velocities and the impulses that a row reads are there.
  struct Ready {
    std::uint64_t bodies;
    std::uint64_t impulses;
  };

  Scoreboard(std::uint32_t rows, std::uint32_t bodies) : impulse_(rows), body_(bodies) {}

  [[nodiscard]] Ready ready(const LoadedKernel& kernel, const ppu_row& row,
                            std::uint32_t slot) const {
    Ready at{std::max(body(row.body_a), body(row.body_b)), impulse_[slot]};
    if (kernel.reads_parent() && row.parent != PPU_NONE)
      at.impulses = std::max(at.impulses, impulse_[row.parent]);
    return at;
  }

  /// The row in `slot` has issued; what it writes is there for rows that issue from `cycle` on, the
  /// velocity of its body b from `cycle_b` on.
  void hold(const LoadedKernel& kernel, const ppu_row& row, std::uint32_t slot, std::uint64_t cycle,
            std::uint64_t cycle_b) {
    if (kernel.stores_impulse()) impulse_[slot] = cycle;
    if (!kernel.stores_velocity()) return;
    if (row.body_a != PPU_NONE) body_[row.body_a] = cycle;
    if (row.body_b != PPU_NONE) body_[row.body_b] = cycle_b;
  }

 private:
  [[nodiscard]] std::uint64_t body(std::uint32_t index) const {
    return index == PPU_NONE ? 0 : body_[index];
  }

  std::vector<std::uint64_t> impulse_;
  std::vector<std::uint64_t> body_;
};

}  // namespace ppu::hw
