// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Which rows and bodies have to do with each other. A row changes its dynamic bodies and is bounded
// by the impulse of its parent, so it belongs together with both; the static world connects
// nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/graph/bodies.hpp"

namespace ppu::model {

/// Connected components by union and find.
class Connected {
 public:
  /// `bodies` and `parents` of each row; a parent is another row, or -1.
  Connected(const std::vector<Bodies>& bodies, const std::vector<std::int32_t>& parents,
            std::size_t body_count);

  /// The set of a row or of a body: a number below sets().
  [[nodiscard]] std::uint32_t of_row(std::size_t row) const { return up_[body_count_ + row]; }
  [[nodiscard]] std::uint32_t of_body(std::size_t body) const { return up_[body]; }
  [[nodiscard]] std::size_t sets() const { return up_.size(); }

 private:
  std::uint32_t find(std::uint32_t item);
  void unite(std::uint32_t a, std::uint32_t b);

  std::size_t body_count_;
  std::vector<std::uint32_t>
      up_;  ///< Of bodies, then of rows: a smaller one of its set, or itself.
};

}  // namespace ppu::model
