// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Single rows of the frames of a replay, packed as soon as they are known: those of a long run
// would not fit into memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/problem/row_problem.hpp"
#include "ppu/ppu.h"

namespace ppu::sim {

inline constexpr std::int32_t kNoBody = -1;

/// One row in one frame. Cycles are summed over its visits.
struct RowDetail {
  model::RowKind kind = model::RowKind::kContact;
  std::array<std::int32_t, 2> body{kNoBody, kNoBody};  ///< Of the scene; kNoBody: the static world.
  float impulse = 0;
  ppu_row_profile profile{};
};

/// What is known of a frame row by row.
struct FrameDetail {
  std::vector<RowDetail> rows;             ///< In the order of the problem.
  std::vector<std::uint32_t> row_of_slot;  ///< Empty where the rows have no common order.
  std::vector<std::int32_t> held_by;       ///< Of each row, see token_senders(); empty as well.
};

/// The rows of a frame as text for the page.
struct PackedRows {
  std::size_t frame = 0;  ///< Index into ReplayReport::frames.
  std::string block;
};

/// Rows of as many frames as fit: of the frame with most rows, and of every 1st, 2nd, 4th, ...
/// frame.
class KeptRows {
 public:
  explicit KeptRows(std::size_t budget_bytes) : budget_bytes_(budget_bytes) {}

  /// Frames come in their order.
  void take(std::size_t frame, const FrameDetail& detail);
  /// Gives up frames, that with most rows last, until all blocks have at most so many bytes.
  void fit(std::size_t budget_bytes);
  /// Gives up frames that `step`, a power of two, does not divide, but for that with most rows.
  void thin_out(std::size_t step);
  /// The frame with most rows.
  [[nodiscard]] std::size_t heaviest() const { return heaviest_; }
  /// In the order of frames.
  [[nodiscard]] const std::vector<PackedRows>& all() const { return kept_; }

 private:
  std::size_t budget_bytes_;
  std::size_t step_ = 1;
  std::size_t heaviest_ = 0;
  std::size_t most_rows_ = 0;  ///< Of that frame.
  std::vector<PackedRows> kept_;
};

}  // namespace ppu::sim
