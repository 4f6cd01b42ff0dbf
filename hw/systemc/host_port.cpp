// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "host_port.hpp"

#include <sys/socket.h>

namespace ppu::hw {

HostPort::HostPort(sc_core::sc_module_name name, int host_socket)
    : sc_module(name), host_socket_(host_socket) {
  SC_HAS_PROCESS(HostPort);
  SC_THREAD(serve);
}

void HostPort::serve() {
  for (;;) {
    RunCommand command;
    if (recv(host_socket_, &command, sizeof command, 0) != sizeof command) break;
    commands.write(command);
    const RunReport report = reports.read();
    if (send(host_socket_, &report, sizeof report, MSG_NOSIGNAL) != sizeof report) break;
  }
  // With no command to come nothing happens any more, and the simulation ends.
}

}  // namespace ppu::hw
