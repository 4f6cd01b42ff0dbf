// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The device counters, and what one cycle counts.
#pragma once

#include <cstdint>

#include "hw/contract/run.hpp"
#include "hw/uncore/beat_port.hpp"

namespace ppu::hw {

class CounterBlock {
 public:
  /// What a cycle counts; a cycle in which nothing changes counts the same again.
  struct Activity {
    bool dma_busy, command_waits;
    BeatPort::Taken read, write, memory;
    std::uint32_t busy_engines;
  };

  void add(ppu_device_counter which, std::uint64_t amount = 1) { values_[which] += amount; }
  /// So many cycles of this kind.
  void count(const Activity& activity, std::uint64_t cycles) {
    using Taken = BeatPort::Taken;
    const auto add_if = [&](bool condition, ppu_device_counter which) {
      if (condition) add(which, cycles);
    };
    add(PPU_DEVICE_COUNTER_DEVICE_CYCLES, cycles);
    add(PPU_DEVICE_COUNTER_ENGINE_BUSY_CYCLES, activity.busy_engines * cycles);
    add_if(activity.dma_busy, PPU_DEVICE_COUNTER_DMA_BUSY_CYCLES);
    add_if(activity.command_waits, PPU_DEVICE_COUNTER_COMMAND_WAIT_CYCLES);
    add_if(activity.read == Taken::kAccepted, PPU_DEVICE_COUNTER_HOST_READ_BEATS);
    add_if(activity.write == Taken::kAccepted, PPU_DEVICE_COUNTER_HOST_WRITE_BEATS);
    add_if(activity.memory == Taken::kAccepted, PPU_DEVICE_COUNTER_MEMORY_BEATS);
    if (activity.memory == Taken::kAcceptedPair) add(PPU_DEVICE_COUNTER_MEMORY_BEATS, 2 * cycles);
    add_if(activity.memory == Taken::kWaits, PPU_DEVICE_COUNTER_MEMORY_WAIT_CYCLES);
  }
  void clear() { values_ = {}; }
  [[nodiscard]] const DeviceCounters& values() const { return values_; }

 private:
  DeviceCounters values_{};
};

}  // namespace ppu::hw
