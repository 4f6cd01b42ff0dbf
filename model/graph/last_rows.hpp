// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The last row on each body, while rows come one after another.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "model/graph/bodies.hpp"

namespace ppu::model {

constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();

class LastRows {
 public:
  explicit LastRows(std::size_t body_count) : last_(body_count, kNoRow) {}

  /// The last row on each of `bodies`, or kNoRow; from now on that is `row`.
  std::array<std::uint32_t, 2> replace(const Bodies& bodies, std::uint32_t row) {
    std::array<std::uint32_t, 2> before{kNoRow, kNoRow};
    for (std::size_t half = 0; half < bodies.size(); ++half) {
      if (bodies[half] < 0) continue;
      std::uint32_t& last = last_[static_cast<std::size_t>(bodies[half])];
      before[half] = last;
      last = row;
    }
    return before;
  }

  /// Of each body.
  [[nodiscard]] const std::vector<std::uint32_t>& rows() const { return last_; }

 private:
  std::vector<std::uint32_t> last_;
};

}  // namespace ppu::model
