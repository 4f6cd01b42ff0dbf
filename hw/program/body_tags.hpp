// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The two tag tables of an engine, a bit for each body (US 7,079,145, Example 8): current tags say
// which rows a filtered pass takes, next tags are set by rows with `mark`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/arithmetic/row_arithmetic.hpp"

namespace ppu::hw {

class BodyTags {
 public:
  float threshold = 0;  ///< Of the marks.

  explicit BodyTags(std::uint32_t bodies) : current_(bodies), next_(bodies) {}

  /// True if the current tag of one of the row's bodies is set.
  [[nodiscard]] bool live(const ppu_row& row) const {
    return tagged(row.body_a) || tagged(row.body_b);
  }
  [[nodiscard]] bool current(std::uint32_t body) const { return current_[body] != 0; }
  [[nodiscard]] bool next(std::uint32_t body) const { return next_[body] != 0; }
  /// Sets the next tags that the row asks for.
  void mark(const ppu_row& row, const model::RowResult& result) {
    if (result.mark_a && row.body_a != PPU_NONE) next_[row.body_a] = 1;
    if (result.mark_b && row.body_b != PPU_NONE) next_[row.body_b] = 1;
  }
  /// Sets all next tags.
  void set_all() { std::fill(next_.begin(), next_.end(), std::uint8_t{1}); }
  /// The next tags become the current ones; the next ones are clear.
  void advance() {
    current_.swap(next_);
    std::fill(next_.begin(), next_.end(), std::uint8_t{0});
  }

 private:
  [[nodiscard]] bool tagged(std::uint32_t body) const {
    return body != PPU_NONE && current_[body] != 0;
  }

  std::vector<std::uint8_t> current_, next_;
};

}  // namespace ppu::hw
