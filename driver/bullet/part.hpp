// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A group larger than the memories of the device goes through it in parts, in every iteration: each
// part is a range of the rows in their order, as long as it fits, with the bodies that these rows
// move. A row whose contact is in a part before is bounded by an impulse that is known by then.
#pragma once

#include <cstdint>
#include <vector>

#include "driver/bullet/visits.hpp"
#include "ppu/bullet.h"

namespace ppu::bullet {

class Part {
 public:
  /// The part that begins with the row in this turn. It is to look at all rows, and keeps its
  /// memory from part to part.
  void begin(const Pools& pools, const BulletLimits& limits, std::uint32_t first);
  void look(const btSolverConstraint& row, RowKind kind);

  /// Turns of its rows, and of all that it has looked at.
  [[nodiscard]] bool has(std::uint32_t turn) const { return turn >= first_ && turn < end_; }
  [[nodiscard]] std::uint32_t rows() const { return end_ - first_; }
  [[nodiscard]] std::uint32_t end() const { return end_; }
  [[nodiscard]] bool is_last() const { return end_ == looked_; }
  /// True if its rows move the body in this place of the pool.
  [[nodiscard]] bool moves(std::size_t place) const { return moved_[place]; }

 private:
  /// False if there is no room for them.
  bool take_bodies(const btSolverConstraint& row);

  const Pools* pools_ = nullptr;
  BulletLimits limits_;
  std::uint32_t first_ = 0, end_ = 0, looked_ = 0;
  bool is_full_ = false, is_rolling_ = false;
  std::vector<bool> moved_;  ///< By place in the pool.
  std::uint32_t bodies_ = 0;
};

}  // namespace ppu::bullet
