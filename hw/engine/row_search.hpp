// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The search of a filtered pass over resident rows: which groups of rows are taken, and in which
// cycle each is, from timestamps (docs/inside/device.md, Filtered passes).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "hw/contract/config.hpp"

namespace ppu::hw {

class RowSearch {
 public:
  explicit RowSearch(const Config& config)
      : group_rows_(config.pipes), window_rows_(config.pipes * config.filter_window) {}

  /// A pass over rows [0, count) whose window 0 is looked at in `cycle`.
  void begin(std::uint64_t cycle, std::uint32_t count) {
    *this = RowSearch(group_rows_, window_rows_);
    count_ = count;
    earliest_ = cycle;
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
    while (looked_ < count_ || live_ != 0) {
      if (earliest_ >= limit) return Found::kLate;
      if (live_ == 0) look(is_live);
      if (live_ != 0) return take(limit) ? Found::kGroup : Found::kLate;
      last_cycle_ = earliest_++;
      passed_over_ += others_;
    }
    return Found::kNone;
  }

  /// The last row of the group has issued or been passed over in `cycle`.
  void gone(std::uint64_t cycle) { gone_[groups_++ % kCredit] = cycle; }

  [[nodiscard]] std::uint32_t first() const { return first_; }
  [[nodiscard]] std::uint32_t end() const { return std::min(first_ + group_rows_, count_); }
  /// The cycle from which the group is before the issue stage.
  [[nodiscard]] std::uint64_t arrival() const { return last_cycle_ + 1; }
  /// The cycle in which the last group was taken or the last window looked at.
  [[nodiscard]] std::uint64_t last_cycle() const { return last_cycle_; }
  /// Rows that were looked at so far.
  [[nodiscard]] std::uint32_t looked() const { return looked_; }
  /// Rows that were passed over without the issue stage since the last call.
  std::uint32_t take_passed_over() {
    const std::uint32_t rows = passed_over_;
    passed_over_ = 0;
    return rows;
  }

 private:
  /// Groups that may be taken and not gone.
  static constexpr std::size_t kCredit = 4;

  RowSearch(std::uint32_t group_rows, std::uint32_t window_rows)
      : group_rows_(group_rows), window_rows_(window_rows) {}

  /// Looks at the next window.
  template <class IsLive>
  void look(IsLive is_live) {
    window_ = looked_;
    looked_ = std::min(window_ + window_rows_, count_);
    others_ = 0;
    for (std::uint32_t group = 0; window_ + group * group_rows_ < looked_; ++group) {
      const std::uint32_t first = window_ + group * group_rows_;
      const std::uint32_t last = std::min(first + group_rows_, looked_);
      bool live = false;
      for (std::uint32_t slot = first; slot < last; ++slot) live = live || is_live(slot);
      live_ |= (live ? 1U : 0U) << group;
      others_ += live ? 0 : last - first;
    }
  }

  /// Takes the next group of the window; false if that is not before `limit`.
  bool take(std::uint64_t limit) {
    // It has the place of the fourth one before it.
    const std::uint64_t free = groups_ < kCredit ? 0 : gone_[groups_ % kCredit] + 1;
    const std::uint64_t cycle = std::max(earliest_, free);
    if (cycle >= limit) return false;
    std::uint32_t group = 0;
    while ((live_ >> group & 1U) == 0) ++group;
    live_ &= live_ - 1;
    if (live_ == 0) passed_over_ += others_;
    first_ = window_ + group * group_rows_;
    last_cycle_ = cycle;
    earliest_ = cycle + 1;
    return true;
  }

  std::uint32_t group_rows_, window_rows_;
  std::uint32_t count_ = 0;
  std::uint32_t first_ = 0;                ///< Of the group that was taken last.
  std::uint32_t window_ = 0, looked_ = 0;  ///< The window that was looked at last: slots.
  std::uint32_t live_ = 0;                 ///< Its groups that are left to take, a bit each, ...
  std::uint32_t others_ = 0;               ///< ... and the rows of those without a live one.
  std::uint32_t passed_over_ = 0;          ///< See take_passed_over().
  std::uint64_t earliest_ = 0;             ///< Nothing is taken or looked at before it.
  std::uint64_t last_cycle_ = 0;           ///< See last_cycle().
  std::array<std::uint64_t, kCredit> gone_{};  ///< Cycles in which the last groups have gone.
  std::size_t groups_ = 0;                     ///< How many have gone.
};

}  // namespace ppu::hw
