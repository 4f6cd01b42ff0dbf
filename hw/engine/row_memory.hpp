// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row memory of one pipe: the rows whose slot is the pipe's number modulo the number of pipes.
// Resident rows have places of their own; streamed rows use the places in turn.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/contract/config.hpp"
#include "model/arithmetic/row_arithmetic.hpp"

namespace ppu::hw {

class RowMemory {
 public:
  explicit RowMemory(const Config& config) : places_(config.row_memory_rows / config.pipes) {}

  /// A run begins.
  void clear() {
    rows_.clear();
    turn_ = 0;
  }

  /// Resident rows stay where they are when others arrive, `count` at most.
  void reserve(std::uint32_t count) { rows_.reserve(count); }
  /// The next resident row arrives.
  void add(const ppu_row& row) { rows_.push_back(row); }
  /// That one: place 0 has the first.
  [[nodiscard]] PPU_INLINE const ppu_row& operator[](std::uint32_t place) const {
    return rows_[place];
  }

  /// A streamed row arrives, in the next place.
  const ppu_row& arrive(const ppu_row& row) {
    if (turn_ == rows_.size()) rows_.emplace_back();
    return rows_[turn_] = row;
  }
  /// The row after it has the place after it.
  void next_place() {
    if (++turn_ == places_) turn_ = 0;
  }

 private:
  std::uint32_t places_;
  std::uint32_t turn_ = 0;
  std::vector<ppu_row> rows_;
};

}  // namespace ppu::hw
