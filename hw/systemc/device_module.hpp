// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The device: host port, engine and device memory, wired.
#pragma once

#include "engine_module.hpp"
#include "host_port.hpp"
#include "memory_module.hpp"

namespace ppu::hw {

/// Clock period of a configuration.
inline sc_core::sc_time clock_period(const Config& config) {
  return {1000.0 / config.clock_mhz, sc_core::SC_NS};
}

class DeviceModule : public sc_core::sc_module {
 public:
  DeviceModule(sc_core::sc_module_name name, const Config& config, DeviceMemory memory,
               RowObserver* observer, const std::atomic<bool>& cancel, int host_socket)
      : sc_module(name),
        host_("host", host_socket),
        engine_("engine", config, memory, observer, cancel, clock_period(config)),
        memory_("memory", config, memory, clock_period(config)) {
    host_.commands(commands_);
    engine_.commands(commands_);
    engine_.reports(reports_);
    host_.reports(reports_);
    engine_.socket.bind(memory_.socket);
  }

 private:
  sc_core::sc_fifo<RunCommand> commands_{"command_fifo", 1};
  sc_core::sc_fifo<RunReport> reports_{"report_fifo", 1};
  HostPort host_;
  EngineModule engine_;
  MemoryModule memory_;
};

}  // namespace ppu::hw
