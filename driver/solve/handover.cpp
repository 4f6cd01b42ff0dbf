// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "driver/solve/handover.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace ppu::driver {

double overlap(const std::vector<double>& before, const BlockCopies& copies) {
  // Whatever it is that the device waits for longest, all that follows comes later by that.
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double begins = i == 0 ? 0 : copies.first + static_cast<double>(i - 1) * copies.each;
    least = std::min(least, before[i] + begins);
  }
  return before.size() < 2 ? 0 : std::max(0.0, least - copies.doorbell);
}

void Handover::begin(std::uint32_t row_count) {
  rows_ = row_count;
  next_ = std::min(rows_, block_rows(rows_));
  there_.assign(1, Clock::now());
}

void Handover::add(std::uint32_t rows) {
  const Clock::time_point now = Clock::now();
  while (rows >= next_) {
    there_.push_back(now);
    // Behind the last one there is none.
    if (next_ == rows_) {
      next_ = std::numeric_limits<std::uint32_t>::max();
    } else {
      next_ = std::min(rows_, next_ + block_rows(rows_));
    }
  }
}

void Handover::end() {
  const Clock::time_point now = Clock::now();
  before_.clear();
  for (const Clock::time_point there : there_)
    before_.push_back(std::chrono::duration<double>(now - there).count());
}

}  // namespace ppu::driver
