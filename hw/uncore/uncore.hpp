// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Everything of the device but its engines: the blocks of rtl/device, device memory and host link,
// connected to one another.
#pragma once

#include <deque>
#include <vector>

#include "hw/uncore/beat_channel.hpp"
#include "hw/uncore/device_cycle.hpp"

namespace ppu::hw {

/// An engine and its port; both outlive the uncore.
struct EngineConnection {
  EngineUnit& unit;
  EnginePort& port;
};

class Uncore final : public DeviceCycle {
 public:
  /// `trace` may be null.
  Uncore(const Config& config, const Surroundings& surroundings,
         const std::vector<EngineConnection>& engines, TraceSink* trace);
  Uncore(const Uncore&) = delete;
  Uncore& operator=(const Uncore&) = delete;

  [[nodiscard]] const DeviceCounters& counters() const { return counters_.values(); }
  /// As after power-on.
  void reset();

 private:
  RegisterBlock registers_;
  CounterBlock counters_;
  CommandProcessor commands_;
  Dma dma_;
  HostWriter writer_;
  BeatPort host_read_, host_write_, arbiter_;
  HostLink link_;
  Dram dram_;
  std::deque<EngineLink> engines_;
};

}  // namespace ppu::hw
