// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A set of small numbers, walked in ascending order: a bit per number, and above every 64 bits one
// that says whether there are any.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace ppu::driver {

class RankSet {
 public:
  static constexpr std::uint32_t kEnd = std::numeric_limits<std::uint32_t>::max();

  /// For numbers below `size`.
  explicit RankSet(std::uint32_t size) {
    do {
      size = (size + 63) / 64;
      levels_.emplace_back(size, 0);
    } while (size > 1);
  }

  void insert(std::uint32_t rank) {
    for (std::vector<std::uint64_t>& level : levels_) {
      level[rank / 64] |= std::uint64_t{1} << (rank % 64);
      rank /= 64;
    }
  }

  void erase(std::uint32_t rank) {
    for (std::vector<std::uint64_t>& level : levels_) {
      level[rank / 64] &= ~(std::uint64_t{1} << (rank % 64));
      if (level[rank / 64] != 0) return;
      rank /= 64;
    }
  }

  /// The smallest number that is at least `rank`, or kEnd.
  [[nodiscard]] std::uint32_t next(std::uint32_t rank) const {
    // Up until a word has a bit at or after the place, then down to the first of them.
    std::size_t level = 0;
    for (;; ++level, rank = rank / 64 + 1) {
      if (level == levels_.size() || rank / 64 >= levels_[level].size()) return kEnd;
      const std::uint64_t word = levels_[level][rank / 64] >> (rank % 64);
      if (word == 0) continue;
      rank += lowest_bit(word);
      break;
    }
    while (level-- > 0) rank = rank * 64 + lowest_bit(levels_[level][rank]);
    return rank;
  }

 private:
  static std::uint32_t lowest_bit(std::uint64_t word) {
    return static_cast<std::uint32_t>(__builtin_ctzll(word));
  }

  std::vector<std::vector<std::uint64_t>> levels_;  ///< The lowest first; the highest is one word.
};

}  // namespace ppu::driver
