// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The engine as a SystemC module: a thread that takes run commands, lets the timed engine compute a
// stretch of rows ahead of simulated time, and waits for time to catch up (temporal decoupling).
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <systemc>
#include <tlm>

#include "host_port.hpp"
#include "ppu/hw/timed_engine.hpp"

namespace ppu::hw {

class EngineModule : public sc_core::sc_module, private EngineBus {
 public:
  tlm_utils::simple_initiator_socket<EngineModule> socket{"socket"};
  sc_core::sc_fifo_in<RunCommand> commands{"commands"};
  sc_core::sc_fifo_out<RunReport> reports{"reports"};

  /// `observer` may be null; `cancel` ends a run; `cycle` is the clock period.
  EngineModule(sc_core::sc_module_name name, const Config& config, DeviceMemory memory,
               RowObserver* observer, const std::atomic<bool>& cancel, sc_core::sc_time cycle);

 private:
  void execute();

  std::uint64_t read(std::uint64_t cycle, std::uint64_t address, void* data,
                     std::size_t bytes) override;
  std::uint64_t write(std::uint64_t cycle, std::uint64_t address, const void* data,
                      std::size_t bytes) override;
  void advance(std::uint64_t cycle) override;
  std::uint64_t transport(tlm::tlm_command command, std::uint64_t cycle, std::uint64_t address,
                          void* data, std::size_t bytes);

  TimedEngine engine_;
  const std::atomic<bool>& cancel_;
  sc_core::sc_time cycle_;
  sc_core::sc_time run_start_;
};

}  // namespace ppu::hw
