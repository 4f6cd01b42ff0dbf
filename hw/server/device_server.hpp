// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Serves the host of a device process: register accesses between two steps of the device,
// interrupts when the line rises, an end when the host is gone.
#pragma once

#include <atomic>
#include <string>

#include "hw/contract/device.hpp"
#include "hw/contract/protocol.hpp"

namespace ppu::hw {

/// Watches the host's end of the socket on a thread of its own, so that long steps end, too.
class HostWatch {
 public:
  explicit HostWatch(int host_socket);
  /// True once the host is gone; valid until the process ends.
  [[nodiscard]] const std::atomic<bool>& gone() const;
};

class DeviceServer {
 public:
  /// `text` is where sentences about mismatches go.
  DeviceServer(int host_socket, Device& device, char* text)
      : socket_(host_socket), device_(device), text_(text) {}

  /// Until the host asks for the end (true), or is gone (false), so that no file may appear: nobody
  /// knows what the run was up to.
  [[nodiscard]] bool run();
  /// Answers that the files are complete.
  void confirm_close() const;
  /// Leaves a sentence for the host.
  void tell(const std::string& text) const;

 private:
  /// Waits for the host if the device has nothing to do; false if this is the end.
  bool take_message(bool wait);
  void handle(const HostMessage& message);
  void send(DeviceMessageKind kind, std::uint32_t value) const;
  /// Tells the host what a step or a register write has changed.
  void report();

  int socket_;
  Device& device_;
  char* text_;
  std::uint32_t interrupts_ = 0;  ///< The lines that are up as the host knows them.
  bool closing_ = false;          ///< The host has asked for the end.
};

}  // namespace ppu::hw
