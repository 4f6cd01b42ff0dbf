// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The host's side of the device process: a thread that takes run commands from the driver's socket,
// hands them to the engine, and sends its reports back. Simulated time stands still while it waits
// for the host.
#pragma once

#include <ostream>
#include <systemc>

#include "ppu/hw/run.hpp"

namespace ppu::hw {

// sc_fifo wants to print what it holds.
inline std::ostream& operator<<(std::ostream& out, const RunCommand& command) {
  return out << "run of " << command.row_count << " rows";
}
inline std::ostream& operator<<(std::ostream& out, const RunReport& report) {
  return out << "run status " << report.status;
}

class HostPort : public sc_core::sc_module {
 public:
  sc_core::sc_fifo_out<RunCommand> commands{"commands"};
  sc_core::sc_fifo_in<RunReport> reports{"reports"};

  HostPort(sc_core::sc_module_name name, int host_socket);

 private:
  void serve();
  int host_socket_;
};

}  // namespace ppu::hw
