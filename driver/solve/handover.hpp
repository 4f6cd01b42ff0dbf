// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Rows that go to the device in blocks: each is copied as soon as it is written, while the host
// writes the next ones.
//
// A simulated device stands still while the host works, so that its cycles are the same whatever
// the pace of the host: the doorbell is rung once, when the last row is written. What passes at
// once where it is rung for each block is computed from the moments in which the host has written
// the blocks and from the cycles in which their copies begin: where a block is not there yet, the
// device stands still, with all that it does.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

namespace ppu::driver {

/// Rows of a block, but for the last one: so many that the latency of a copy is little beside it,
/// and so few that little is left to copy when the last one is written. A problem has 256 blocks at
/// most.
inline std::uint32_t block_rows(std::uint32_t row_count) {
  constexpr std::uint32_t kLeastRows = 512, kMostBlocks = 256;
  return std::max(kLeastRows, (row_count + kMostBlocks - 1) / kMostBlocks);
}

/// When a device copies blocks that are all there, in seconds from the begin of its first command.
struct BlockCopies {
  double first = 0;     ///< The copy of the first block begins,
  double each = 0;      ///< and so much later that of each next one.
  double doorbell = 0;  ///< From a doorbell to the begin of what it hands over.
};

/// Seconds in which host and device both work. `before`: how long before the last doorbell the
/// commands ahead of the blocks were there, then each block.
double overlap(const std::vector<double>& before, const BlockCopies& copies);

class Handover {
 public:
  /// The commands ahead of the first block are there; `row_count` rows follow.
  void begin(std::uint32_t row_count);
  /// The first `rows` of them are written.
  void reach(std::uint32_t rows) {
    if (rows >= next_) add(rows);
  }
  /// All are written, and the doorbell is rung.
  void end();
  /// After end().
  [[nodiscard]] const std::vector<double>& before() const { return before_; }

 private:
  using Clock = std::chrono::steady_clock;
  void add(std::uint32_t rows);

  std::uint32_t rows_ = 0;
  std::uint32_t next_ = 0;  ///< Rows up to the end of the block that is being written.
  std::vector<Clock::time_point> there_;
  std::vector<double> before_;
};

}  // namespace ppu::driver
