// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Which rows of a sweep wait for which.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "driver/plan/issue_model.hpp"
#include "driver/plan/row_graph.hpp"

namespace ppu::driver {

constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();

/// A row waits for the row before it on each of its bodies and for its parent; rows are in
/// topological order already.
class Dependencies {
 public:
  Dependencies(const RowGraph& graph, const Machine& machine);

  [[nodiscard]] std::uint32_t rows() const { return static_cast<std::uint32_t>(before_.size()); }
  /// The rows that a row waits for, or kNoRow; the last one is its parent.
  [[nodiscard]] const std::array<std::uint32_t, 3>& before(std::uint32_t row) const {
    return before_[row];
  }
  [[nodiscard]] std::uint32_t parent(std::uint32_t row) const { return before_[row][2]; }
  /// Cycles from the row to the rows that wait for it.
  [[nodiscard]] Cycle distance(std::uint32_t row) const { return distance_[row]; }
  /// Rows whose parent the row is.
  [[nodiscard]] std::uint32_t children(std::uint32_t row) const { return children_[row]; }
  /// First and last row of each body, or kNoRow.
  [[nodiscard]] const std::vector<std::uint32_t>& first() const { return first_; }
  [[nodiscard]] const std::vector<std::uint32_t>& last() const { return last_; }

  template <class Visit>
  void for_each_after(std::uint32_t row, Visit visit) const {
    for (std::uint32_t i = start_[row]; i < start_[row + 1]; ++i) visit(after_[i]);
  }

 private:
  void index_successors();

  std::vector<std::array<std::uint32_t, 3>> before_;
  std::vector<std::uint32_t> distance_, children_;
  std::vector<std::uint32_t> first_, last_;
  std::vector<std::uint32_t> start_, after_;  ///< The rows that wait for each row, from start_ on.
};

}  // namespace ppu::driver
