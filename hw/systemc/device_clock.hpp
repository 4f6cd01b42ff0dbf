// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// When the cycles of a device are: its clock has an edge at every multiple of the period, but the
// device cycle stands still while there is nothing to do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <systemc>

namespace ppu::systemc {

class DeviceClock {
 public:
  explicit DeviceClock(std::uint32_t mhz)
      : period_ps_(1'000'000 / mhz), ps_(sc_core::sc_time(1, sc_core::SC_PS)) {
    if (ps_ == sc_core::SC_ZERO_TIME)
      throw std::runtime_error("the time resolution is coarser than the picoseconds of a clock");
  }

  /// Cycle `cycle` begins now, or with the next edge, and not before it would have.
  void start(std::uint64_t cycle) {
    const std::uint64_t edge = (now_ps() + period_ps_ - 1) / period_ps_ * period_ps_;
    const std::uint64_t begin = std::max(edge, begin_ps(cycle));
    first_cycle_ = cycle;
    first_ps_ = begin;
  }
  void reset() {
    first_cycle_ = 0;
    first_ps_ = 0;
    start(0);
  }

  /// Begin of a cycle, not before the one it was started with.
  [[nodiscard]] std::uint64_t begin_ps(std::uint64_t cycle) const {
    return first_ps_ + (cycle - first_cycle_) * period_ps_;
  }
  /// From now until then; none if it has come.
  [[nodiscard]] sc_core::sc_time until_ps(std::uint64_t moment_ps) const {
    return moment_ps > now_ps() ? from_ps(moment_ps - now_ps()) : sc_core::SC_ZERO_TIME;
  }
  [[nodiscard]] sc_core::sc_time until(std::uint64_t cycle) const {
    return until_ps(begin_ps(cycle));
  }
  /// The first cycle that does not begin before now.
  [[nodiscard]] std::uint64_t cycle_now() const {
    const std::uint64_t now = now_ps();
    if (now <= first_ps_) return first_cycle_;
    return first_cycle_ + (now - first_ps_ + period_ps_ - 1) / period_ps_;
  }
  [[nodiscard]] std::uint64_t now_ps() const { return to_ps(sc_core::sc_time_stamp()); }
  [[nodiscard]] std::uint64_t to_ps(const sc_core::sc_time& time) const {
    return static_cast<std::uint64_t>(time / ps_ + 0.5);
  }
  [[nodiscard]] sc_core::sc_time from_ps(std::uint64_t ps) const {
    return static_cast<double>(ps) * ps_;
  }
  [[nodiscard]] std::uint64_t cycles_in(const sc_core::sc_time& time) const {
    return to_ps(time) / period_ps_;
  }
  [[nodiscard]] sc_core::sc_time period() const { return from_ps(period_ps_); }

 private:
  std::uint64_t period_ps_;
  sc_core::sc_time ps_;
  std::uint64_t first_cycle_ = 0, first_ps_ = 0;
};

}  // namespace ppu::systemc
