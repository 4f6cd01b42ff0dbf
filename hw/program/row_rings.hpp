// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The rows of each body as a ring, in slot order, the first one behind the last one: what the
// linker of an engine builds while rows are loaded (docs/inside/dataflow.md, Linking).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/contract/config.hpp"

namespace ppu::hw {

class RowRings {
 public:
  /// Where a row sends the token of a body.
  struct Link {
    std::uint32_t slot = 0;
    bool present = false;
    bool full = false;       ///< That row waits for no other token.
    bool of_body_b = false;  ///< The token is of body b of that row, and not of both.
  };
  struct Row {
    std::array<Link, 2> next{};  ///< Of lane a, of lane b.
    bool token = false;          ///< Before its first turn it waits for one of two tokens only.
    /// Its two links lie on one lane: the linker takes a second cycle.
    bool two_cycles = false;
  };

  /// No rows.
  RowRings() = default;
  /// As many rows, without links.
  explicit RowRings(std::uint32_t rows) : rows_(rows) {}
  /// Good rows of a run with `bodies` bodies.
  RowRings(const Config& config, const std::vector<const ppu_row*>& rows, std::uint32_t bodies);

  [[nodiscard]] const Row& operator[](std::uint32_t slot) const { return rows_[slot]; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(rows_.size()); }
  /// Rows that wait for no token before their first turn, in slot order.
  [[nodiscard]] const std::vector<std::uint32_t>& seeds() const { return seeds_; }
  /// True if a row has a parent that lies behind it, or that shares no body with it.
  [[nodiscard]] bool apart() const { return apart_; }

 private:
  std::vector<Row> rows_;
  std::vector<std::uint32_t> seeds_;
  bool apart_ = false;
};

}  // namespace ppu::hw
