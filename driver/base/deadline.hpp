// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A moment until which something waits, from a timeout in nanoseconds; PPU_NO_TIMEOUT is never.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace ppu::driver {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Deadline(std::uint64_t timeout_ns)
      : never_(timeout_ns > kLongest), moment_(Clock::now()) {
    if (!never_) moment_ += std::chrono::nanoseconds(timeout_ns);
  }

  [[nodiscard]] bool never() const { return never_; }
  [[nodiscard]] Clock::time_point moment() const { return moment_; }
  [[nodiscard]] bool passed() const { return !never_ && Clock::now() >= moment_; }
  /// Not negative.
  [[nodiscard]] std::chrono::nanoseconds left() const {
    return std::max(std::chrono::nanoseconds(0), std::chrono::nanoseconds(moment_ - Clock::now()));
  }

 private:
  /// Longer timeouts (over 100 years) would overflow the clock.
  static constexpr std::uint64_t kLongest = std::uint64_t{1} << 62U;
  bool never_;
  Clock::time_point moment_;
};

}  // namespace ppu::driver
