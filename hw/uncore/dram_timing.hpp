// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Timing of device memory: banks with one open page each, refresh, one data bus, a queue in the
// controller (docs/inside/device.md). The SystemC model and the RTL simulation use the same class.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "hw/contract/config.hpp"
#include "hw/contract/cycles.hpp"

namespace ppu::hw {

class DramTiming {
 public:
  /// `outside`: the memory is behind something that has its own time, and only the queue counts.
  explicit DramTiming(const Config& config, bool outside = false);

  /// True if a request can be accepted in `cycle`. Cycles must not go back.
  [[nodiscard]] bool ready(std::uint64_t cycle);
  /// `beats` beats from `address` on are accepted in `cycle`, as one request; returns the
  /// picosecond in which their data have moved.
  std::uint64_t accept(std::uint64_t cycle, std::uint32_t address, std::uint32_t beats = 1);
  /// The oldest request that was accepted and not finished is done in this picosecond, whatever is
  /// behind included; returns the cycle of its response, `least` or later.
  std::uint64_t finish(std::uint64_t done_ps, std::uint64_t least);
  /// Both.
  std::uint64_t access(std::uint64_t cycle, std::uint32_t address) {
    return finish(accept(cycle, address), cycle + 1);
  }
  /// The next cycle after `cycle` in which ready() may become true: to skip idle time. Never, while
  /// that is up to a beat that is not finished.
  [[nodiscard]] std::uint64_t next_ready(std::uint64_t cycle) const;

 private:
  static constexpr std::uint32_t kClosed = ~std::uint32_t{0};
  struct Bank {
    std::uint32_t row = kClosed;
    std::uint64_t free_ps = 0;
  };

  /// The picosecond in which data of a page of the bank can begin to move, for an access that the
  /// controller passes on from `start` on.
  [[nodiscard]] std::uint64_t first_data(const Bank& bank, std::uint32_t row,
                                         std::uint64_t start) const;
  /// Moves a beat; returns the picosecond in which it has moved.
  std::uint64_t move(std::uint64_t start, std::uint32_t address);

  std::uint64_t period_ps_, controller_ps_, cas_ps_, activate_ps_, precharge_ps_;
  std::uint64_t refresh_interval_ps_, refresh_ps_, beat_ps_;
  std::uint32_t page_bytes_, queue_, stall_percent_;
  bool outside_;
  std::vector<Bank> banks_;
  std::uint64_t next_refresh_ps_;  ///< The first one that has not closed the pages yet.
  std::uint64_t bus_free_ps_ = 0;
  std::uint64_t last_done_ = 0;
  std::deque<std::uint64_t> under_way_;  ///< Done cycles, oldest first; kNever if not finished.
  std::size_t finished_ = 0;             ///< How many of them are.
};

}  // namespace ppu::hw
