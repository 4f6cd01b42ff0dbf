// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The timed engine: the firmware and the row arithmetic of the functional engine, with the cycle of
// every row from timestamps instead of clock ticks:
//
//   issue  = max(previous issue + 12/lanes, row arrived, bodies ready, impulses ready)
//   ready  = issue + body latency  for the bodies and the impulse that the row writes
//
// which is cycle-exact for an in-order issue with a scoreboard. Every cycle between the first
// instruction and the end of `halt` is charged to one stall class.
#pragma once

#include "ppu/hw/device.hpp"
#include "ppu/hw/engine_bus.hpp"
#include "ppu/hw/row_observer.hpp"

namespace ppu::hw {

class TimedEngine {
 public:
  /// `memory` is read for checks that take no time; data moves over `bus`. `observer` may be null.
  TimedEngine(const Config& config, DeviceMemory memory, EngineBus& bus, RowObserver* observer)
      : config_(config), memory_(memory), bus_(bus), observer_(observer) {}

  RunReport run(const RunCommand& command, const std::atomic<bool>& cancel);

 private:
  Config config_;
  DeviceMemory memory_;
  EngineBus& bus_;
  RowObserver* observer_;
};

}  // namespace ppu::hw
