// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Which row must come before which: the rows of a dynamic body in their order, and a parent before
// the friction rows that it bounds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ppu::driver {

using Bodies = std::array<std::int32_t, 2>;

struct RowGraph {
  std::vector<Bodies> body;          ///< -1: static world.
  std::vector<std::int32_t> parent;  ///< An earlier row, or -1.
  std::size_t body_count = 0;

  [[nodiscard]] std::size_t rows() const { return body.size(); }
  friend bool operator==(const RowGraph& a, const RowGraph& b) {
    return a.body_count == b.body_count && a.body == b.body && a.parent == b.parent;
  }
};

/// Slot -> row.
using RowOrder = std::vector<std::uint32_t>;

}  // namespace ppu::driver
