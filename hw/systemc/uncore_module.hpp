// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The uncore as a SystemC module. It steps many cycles in one activation (temporal decoupling) and
// wakes up again when simulated time has caught up, so at every activation the time is that of the
// device cycle.
#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <systemc>

#include "hw/systemc/engine_module.hpp"

namespace ppu::hw {

class UncoreModule : public sc_core::sc_module {
 public:
  UncoreModule(sc_core::sc_module_name name, const Config& config, DeviceCore& core,
               std::deque<EngineModule>& engines);

  /// Lets the simulation run, until `end` of host time at most. It pauses earlier when the
  /// interrupt line rises, and ends when there is nothing to do.
  void run(std::chrono::steady_clock::time_point end);
  /// Runs the simulation up to the cycle that writes the register.
  void write_register(std::uint32_t offset, std::uint32_t value);

 private:
  struct RegisterWrite {
    std::uint32_t offset, value;
  };

  /// The process: engines first, then a register write or a stretch of cycles.
  void work();
  /// True if an engine has to go on first; its event wakes the process.
  bool ask_engines();
  /// Wakes the process in the device cycle that comes next.
  void wake_in_time();
  [[nodiscard]] sc_core::sc_time time_of_cycle() const;

  DeviceCore& core_;
  std::deque<EngineModule>& engines_;
  sc_core::sc_time period_;
  sc_core::sc_event wake_{"wake"};
  std::optional<RegisterWrite> write_;
  std::chrono::steady_clock::time_point slice_end_;
};

}  // namespace ppu::hw
