// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The timing of the host link, as docs/inside/device.md says it; all times in picoseconds.
#include "hw/uncore/link_timing.hpp"

#include <algorithm>

#include "hw/uncore/time_units.hpp"

namespace ppu::hw {
namespace {

/// Time of one request on the link, rounded up. 10^6 bytes per second are one byte per microsecond.
std::uint64_t link_beat_ps(const Config& config) {
  const std::uint64_t bytes = std::uint64_t{spec::kBeatBytes} + config.link_overhead_bytes;
  return (bytes * kPsPerUs + config.link_mb_per_s - 1) / config.link_mb_per_s;
}

}  // namespace

LinkTiming::LinkTiming(const Config& config)
    : period_ps_(kPsPerUs / config.clock_mhz),
      beat_ps_(link_beat_ps(config)),
      latency_ps_(config.link_latency_ns * kPsPerNs),
      queue_(config.link_queue),
      full_duplex_(config.link_full_duplex != 0) {
}

bool LinkTiming::ready(LinkChannel channel, std::uint64_t cycle) {
  std::deque<std::uint64_t>& under_way = channels_[static_cast<std::size_t>(channel)].under_way;
  while (!under_way.empty() && under_way.front() <= cycle) under_way.pop_front();
  return under_way.size() < queue_;
}

std::uint64_t LinkTiming::access(LinkChannel channel, std::uint64_t cycle) {
  const auto index = static_cast<std::size_t>(channel);
  std::uint64_t& free_ps = free_ps_[full_duplex_ ? index : 0];
  free_ps = std::max(cycle * period_ps_, free_ps) + beat_ps_;

  // A read goes over the link and back, a write is acknowledged where it arrives.
  const std::uint64_t done_ps =
      free_ps + (channel == LinkChannel::kRead ? 2 * latency_ps_ : latency_ps_);
  Channel& state = channels_[index];
  state.last_done = std::max((done_ps + period_ps_ - 1) / period_ps_, state.last_done + 1);
  state.under_way.push_back(state.last_done);
  return state.last_done;
}

std::uint64_t LinkTiming::next_ready(LinkChannel channel, std::uint64_t cycle) const {
  const std::deque<std::uint64_t>& under_way =
      channels_[static_cast<std::size_t>(channel)].under_way;
  if (under_way.size() < queue_) return cycle + 1;
  return std::max(cycle + 1, under_way[under_way.size() - queue_]);
}

}  // namespace ppu::hw
