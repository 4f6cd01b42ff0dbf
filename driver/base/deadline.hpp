// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A moment until which something waits, from a timeout in nanoseconds; PPU_NO_TIMEOUT is never.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

namespace ppu::driver {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;
  /// Nanoseconds of another clock.
  using OtherClock = std::function<std::uint64_t()>;

  explicit Deadline(std::uint64_t timeout_ns, OtherClock other = nullptr)
      : never_(timeout_ns > kLongest), other_(std::move(other)), moment_(now()) {
    if (!never_) moment_ += std::chrono::nanoseconds(timeout_ns);
  }

  [[nodiscard]] bool never() const { return never_; }
  [[nodiscard]] Clock::time_point moment() const { return moment_; }
  [[nodiscard]] bool passed() const { return !never_ && now() >= moment_; }
  /// Not negative.
  [[nodiscard]] std::chrono::nanoseconds left() const {
    return std::max(std::chrono::nanoseconds(0), std::chrono::nanoseconds(moment_ - now()));
  }

 private:
  [[nodiscard]] Clock::time_point now() const {
    return other_ ? Clock::time_point(std::chrono::nanoseconds(other_())) : Clock::now();
  }

  /// Longer timeouts (over 100 years) would overflow the clock.
  static constexpr std::uint64_t kLongest = std::uint64_t{1} << 62U;
  bool never_;
  OtherClock other_;
  Clock::time_point moment_;
};

}  // namespace ppu::driver
