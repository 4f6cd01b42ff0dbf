// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The window of a pipe: rows that have their tokens, in the order of their positions
// (docs/inside/dataflow.md, Issue).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace ppu::hw {

class RowWindow {
 public:
  static constexpr std::size_t kPlaces = 8;

  struct Row {
    std::uint64_t position;
    std::uint64_t banks;  ///< Of velocities, a bit each.
    std::uint32_t slot;
    std::uint32_t parent_bank;  ///< Of impulses, a bit.
    bool one_bank;              ///< Both velocities lie in one bank.
    bool after_same_bank;       ///< See Message::after_same_bank.
    bool body_b_last;           ///< The token of its body b came last.
  };

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const Row& operator[](std::size_t place) const { return rows_[place]; }
  [[nodiscard]] const Row* begin() const { return rows_.data(); }
  [[nodiscard]] const Row* end() const { return rows_.data() + size_; }

  /// A place for the row at `position`, behind those that are older; everything else of it is to be
  /// filled in. There is room.
  Row& insert(std::uint64_t position) {
    std::size_t place = size_++;
    for (; place > 0 && rows_[place - 1].position > position; --place)
      rows_[place] = rows_[place - 1];
    rows_[place].position = position;
    return rows_[place];
  }
  void erase(std::size_t place) {
    std::copy(rows_.begin() + place + 1, rows_.begin() + size_, rows_.begin() + place);
    --size_;
  }
  /// The cycle ends in which a row after one with both velocities in one bank may not issue.
  void let_go() {
    for (std::size_t place = 0; place < size_; ++place) rows_[place].after_same_bank = false;
  }

 private:
  std::array<Row, kPlaces> rows_;
  std::size_t size_ = 0;
};

}  // namespace ppu::hw
