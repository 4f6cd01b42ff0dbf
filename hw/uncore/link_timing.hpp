// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Timing of the host link: bandwidth each way or shared, latency, requests under way
// (docs/inside/device.md). The SystemC model and the RTL simulation use the same class.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "hw/contract/config.hpp"
#include "hw/contract/cycles.hpp"

namespace ppu::hw {

enum class LinkChannel : std::uint8_t { kRead, kWrite };

class LinkTiming {
 public:
  explicit LinkTiming(const Config& config);

  /// True if the channel can accept a request in `cycle`. Cycles must not go back.
  [[nodiscard]] bool ready(LinkChannel channel, std::uint64_t cycle);
  /// A beat is accepted in `cycle`; returns the picosecond in which the link is done with it.
  std::uint64_t accept(LinkChannel channel, std::uint64_t cycle);
  /// The oldest beat that was accepted and not finished is done in this picosecond, the memory
  /// behind the link included; returns the cycle of its response or acknowledgement, `least` or
  /// later.
  std::uint64_t finish(LinkChannel channel, std::uint64_t done_ps, std::uint64_t least = 0);
  /// Both, with a memory that takes no time.
  std::uint64_t access(LinkChannel channel, std::uint64_t cycle) {
    return finish(channel, accept(channel, cycle));
  }
  /// The next cycle after `cycle` in which ready() may become true: to skip idle time. Never, while
  /// that is up to a beat that is not finished.
  [[nodiscard]] std::uint64_t next_ready(LinkChannel channel, std::uint64_t cycle) const;

 private:
  struct Channel {
    std::uint64_t last_done = 0;
    std::deque<std::uint64_t> under_way;  ///< Done cycles, oldest first; kNever if not finished.
    std::size_t finished = 0;             ///< How many of them are.
  };
  std::uint64_t period_ps_, beat_ps_, latency_ps_;
  std::uint32_t queue_;
  bool full_duplex_;
  std::array<std::uint64_t, 2> free_ps_{};  ///< Of each direction; the first one if half duplex.
  std::array<Channel, 2> channels_;
};

}  // namespace ppu::hw
