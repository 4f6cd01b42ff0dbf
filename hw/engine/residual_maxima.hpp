// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The residual maxima of a run with time: that of the rows behind the last taken `bmax`, and that
// of the rows before it, which may still be in flight (docs/inside/device.md, Residual maxima).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/bits/float_bits.hpp"
#include "hw/contract/config.hpp"
#include "hw/contract/cycles.hpp"

namespace ppu::hw {

class ResidualMaxima {
 public:
  explicit ResidualMaxima(const Config& config)
      : leaves_(static_cast<std::uint64_t>(body_latency(config)) + 1),
        division_(config.fp_div_stages) {}

  /// The number, 0 or 1, of the maximum in which passes count from now on.
  [[nodiscard]] std::uint32_t current() const { return current_; }

  /// Where rows that count in maximum `number` keep the largest residual: those that divide, or the
  /// others, which leave their residual in the order in which they issue.
  [[nodiscard]] float* of(std::uint32_t number, bool divides) {
    return &maxima_[number].parts[divides ? 1 : 0].value;
  }

  /// A row that counts in maximum `number` has issued, and of() has its residual.
  void issued(std::uint32_t number, bool divides, std::uint64_t cycle) {
    ended(number, cycle + leaves_ + division_);
    Part& part = maxima_[number].parts[divides ? 1 : 0];
    const float last = part.rises.empty() ? 0.0F : part.rises.back().value;
    if (part.value > last)
      part.rises.push_back({cycle + leaves_ + (divides ? division_ : 0), part.value});
  }

  /// No row that counts in maximum `number` is pending or under way from `cycle` on, or later.
  void ended(std::uint32_t number, std::uint64_t cycle) {
    maxima_[number].settled = std::max(maxima_[number].settled, cycle);
  }

  /// The largest residual of the current maximum.
  [[nodiscard]] float value() const {
    const Maximum& maximum = maxima_[current_];
    return std::max(maximum.parts[0].value, maximum.parts[1].value);
  }

  /// The first cycle in which the current maximum is above the number with these bits and no row of
  /// the other one is under way; none if it is not above it.
  [[nodiscard]] std::optional<std::uint64_t> exceeds_from(std::uint32_t bits) const {
    std::optional<std::uint64_t> from;
    for (const Part& part : maxima_[current_].parts) {
      const auto above = std::find_if(part.rises.begin(), part.rises.end(),
                                      [bits](const Rise& r) { return bits_of(r.value) > bits; });
      if (above != part.rises.end()) from = std::min(from.value_or(above->cycle), above->cycle);
    }
    if (from) from = std::max(*from, maxima_[1 - current_].settled);
    return from;
  }

  /// The current maximum is 0 again.
  void clear() { maxima_[current_] = {{}, maxima_[current_].settled}; }
  /// Passes from `cycle` on count in the other maximum, which is 0; no row of it is under way.
  void change(std::uint64_t cycle) {
    ended(current_, cycle + leaves_ + division_);
    current_ = 1 - current_;
    maxima_[current_] = {};
  }

 private:
  struct Rise {
    std::uint64_t cycle;  ///< From which the maximum is this large.
    float value;
  };
  struct Part {
    float value = 0;
    std::vector<Rise> rises;
  };
  struct Maximum {
    std::array<Part, 2> parts;
    std::uint64_t settled = 0;  ///< No row of it is under way from this cycle on.
  };

  std::uint64_t leaves_;  ///< Cycles from issue until the residual is seen, but for a division.
  std::uint64_t division_;
  std::uint32_t current_ = 0;
  std::array<Maximum, 2> maxima_;
};

}  // namespace ppu::hw
