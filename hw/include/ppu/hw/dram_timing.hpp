// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Timing of device memory: one port that moves a fixed number of bytes per cycle after a fixed
// latency; requests overlap their latencies and share the port in order.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ppu/hw/config.hpp"

namespace ppu::hw {

class DramTiming {
 public:
  explicit DramTiming(const Config& config)
      : bytes_per_cycle_(config.dram_bytes_per_cycle), latency_(config.dram_latency_cycles) {}

  /// A burst of `bytes` requested in `cycle`; returns the cycle after its last byte moved.
  std::uint64_t access(std::uint64_t cycle, std::uint64_t bytes) {
    const std::uint64_t first = std::max(cycle + latency_, free_);
    free_ = first + (bytes + bytes_per_cycle_ - 1) / bytes_per_cycle_;
    return free_;
  }

 private:
  std::uint64_t bytes_per_cycle_;
  std::uint64_t latency_;
  std::uint64_t free_ = 0;
};

}  // namespace ppu::hw
