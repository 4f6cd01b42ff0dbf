// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A device in a process of its own: shared device memory and messages over a socket pair (see
// ppu/hw/protocol.hpp). Whatever happens to that process, this one gets PPU_ERROR_DEVICE_LOST.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "child_process.hpp"
#include "deadline.hpp"
#include "file_descriptor.hpp"
#include "mapping.hpp"
#include "ppu/hw/protocol.hpp"
#include "session.hpp"

namespace ppu::driver {

class ProcessSession final : public Session {
 public:
  /// Starts a device process and asks it to open. Throws Failure.
  ProcessSession(const std::string& executable, const hw::OpenRequest& request);
  ~ProcessSession() override;
  ProcessSession(const ProcessSession&) = delete;
  ProcessSession& operator=(const ProcessSession&) = delete;

  [[nodiscard]] Identity identity() const override { return identity_; }
  [[nodiscard]] hw::DeviceMemory memory() const override { return memory_; }
  void start(const hw::RunCommand& command) override;
  std::optional<hw::RunReport> wait(std::uint64_t timeout_ns) override;
  hw::RunReport cancel() override;

 private:
  void launch(std::size_t memory_bytes);
  void handshake(const hw::OpenRequest& request);
  void send(const void* message, std::size_t size_bytes);
  /// One message of exactly `size_bytes`, or false at the deadline.
  bool receive(void* message, std::size_t size_bytes, const Deadline& deadline);
  [[noreturn]] void lose();

  std::string executable_;
  FileDescriptor socket_;
  std::optional<Mapping> mapping_;  ///< Of the memory file: device memory, then run control.
  hw::DeviceMemory memory_;
  hw::RunControl* control_ = nullptr;
  std::unique_ptr<ChildProcess> process_;
  Identity identity_;
  std::string lost_;  ///< How the process ended, once it is known to be lost.
};

}  // namespace ppu::driver
