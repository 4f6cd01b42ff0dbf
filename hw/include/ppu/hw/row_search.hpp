// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The search of a filtered pass over resident rows: which groups of rows are taken, and in which
// cycle each is, from timestamps (docs/device.md, Filtered passes).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "ppu/hw/config.hpp"

namespace ppu::hw {

class RowSearch {
 public:
  explicit RowSearch(const Config& config)
      : group_rows_(config.pipes), window_rows_(config.pipes * config.filter_window) {}

  /// A pass over rows [0, count) whose window 0 is looked at in `cycle`.
  void begin(std::uint64_t cycle, std::uint32_t count) {
    *this = {group_rows_, window_rows_, cycle, count};
  }

  enum class Found {
    kGroup,  ///< first(), end() and arrival() tell of it.
    kNone,   ///< The whole pass has been gone through, in last_cycle().
    kLate,   ///< Nothing is searched for from `limit` on, which comes before.
  };
  /// Goes on to the next group with a live row; the rows of the one before have all gone, the last
  /// one in the cycle told to gone().
  template <class IsLive>
  Found next(IsLive is_live, std::uint64_t limit) {
    while (next_ < count_) {
      if (next_ == window_end_ && !leave_window(limit)) return Found::kLate;
      first_ = next_;
      next_ = std::min(first_ + group_rows_, count_);
      if (has_live(is_live)) return take(limit) ? Found::kGroup : Found::kLate;
      passing_over_ += next_ - first_;
    }
    return leave_window(limit) ? Found::kNone : Found::kLate;
  }

  /// The last row of the group has issued or been passed over in `cycle`.
  void gone(std::uint64_t cycle) { gone_[groups_++ % kCredit] = cycle; }

  [[nodiscard]] std::uint32_t first() const { return first_; }
  [[nodiscard]] std::uint32_t end() const { return next_; }
  /// The cycle from which the group is before the issue stage.
  [[nodiscard]] std::uint64_t arrival() const { return last_cycle_ + 1; }
  /// The cycle in which the last group was taken or the last window looked at.
  [[nodiscard]] std::uint64_t last_cycle() const { return last_cycle_; }
  /// Rows that were passed over without the issue stage since the last call.
  std::uint32_t take_passed_over() {
    const std::uint32_t rows = passed_over_;
    passed_over_ = 0;
    return rows;
  }

 private:
  /// Groups that may be taken and not gone.
  static constexpr std::size_t kCredit = 4;

  RowSearch(std::uint32_t group_rows, std::uint32_t window_rows, std::uint64_t cycle,
            std::uint32_t count)
      : group_rows_(group_rows),
        window_rows_(window_rows),
        count_(count),
        window_end_(window_rows),
        earliest_(cycle) {}

  template <class IsLive>
  bool has_live(IsLive is_live) const {
    for (std::uint32_t slot = first_; slot < next_; ++slot)
      if (is_live(slot)) return true;
    return false;
  }

  /// Takes the group; false if that is not before `limit`.
  bool take(std::uint64_t limit) {
    // It has the place of the fourth one before it.
    const std::uint64_t free = groups_ < kCredit ? 0 : gone_[groups_ % kCredit] + 1;
    const std::uint64_t cycle = std::max(earliest_, free);
    if (cycle >= limit) return false;
    last_cycle_ = cycle;
    earliest_ = cycle + 1;
    found_ = true;
    return true;
  }

  /// Goes on to the next window; false if this one is not gone through before `limit`.
  bool leave_window(std::uint64_t limit) {
    if (!found_) {
      if (earliest_ >= limit) return false;
      last_cycle_ = earliest_++;
    }
    found_ = false;
    window_end_ += window_rows_;
    passed_over_ += passing_over_;
    passing_over_ = 0;
    return true;
  }

  std::uint32_t group_rows_, window_rows_;
  std::uint32_t count_ = 0;
  std::uint32_t first_ = 0, next_ = 0;  ///< The group looked at last, and the next one.
  std::uint32_t window_end_ = 0;
  bool found_ = false;          ///< A group of this window was taken.
  std::uint64_t earliest_ = 0;  ///< No group is taken, and no window looked at, before it.
  std::uint64_t last_cycle_ = 0;
  std::uint32_t passing_over_ = 0;             ///< Rows of this window that are not taken ...
  std::uint32_t passed_over_ = 0;              ///< ... and those of windows before.
  std::array<std::uint64_t, kCredit> gone_{};  ///< Cycles in which the last groups have gone.
  std::size_t groups_ = 0;                     ///< How many have gone.
};

}  // namespace ppu::hw
