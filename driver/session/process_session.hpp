// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A device in a process of its own: shared host memory and messages over a socket pair (see
// hw/contract/protocol.hpp). Whatever happens to that process, this one gets PPU_ERROR_DEVICE_LOST.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/files/file_descriptor.hpp"
#include "base/process/child_process.hpp"
#include "driver/base/deadline.hpp"
#include "driver/session/mapping.hpp"
#include "driver/session/session.hpp"
#include "hw/contract/protocol.hpp"

namespace ppu::driver {

/// The executable of device processes.
inline constexpr process::Helper kDeviceHelper{"ppu-device", "PPU_DEVICE", "device process"};

class ProcessSession final : public Session {
 public:
  /// Starts a device process and asks it to open. Answers, and room for messages, are waited for
  /// at most `answer_timeout_ns`. Throws Failure.
  ProcessSession(const std::string& executable, const hw::OpenRequest& request,
                 std::uint64_t answer_timeout_ns);
  ~ProcessSession() override;
  ProcessSession(const ProcessSession&) = delete;
  ProcessSession& operator=(const ProcessSession&) = delete;

  [[nodiscard]] hw::Memory host_memory() const override { return host_memory_; }
  void write_register(std::uint32_t offset, std::uint32_t value) override;
  std::uint32_t read_register(std::uint32_t offset) override;
  bool wait_interrupt(const Deadline& deadline) override;
  std::uint32_t copy_profile(std::uint32_t engine, std::uint32_t address) override;
  [[nodiscard]] std::string device_text() override;
  /// Does nothing if the device is known to be lost.
  void close() override;
  void set_answer_timeout(std::uint64_t timeout_ns) override { answer_timeout_ns_ = timeout_ns; }

 private:
  void launch(std::size_t memory_bytes);
  void handshake(const hw::OpenRequest& request);
  /// The answer to a message; interrupts that come before it are kept.
  std::uint32_t ask(const hw::HostMessage& message);
  /// Waits for room at most as long as for an answer.
  void send(const void* message, std::size_t size_bytes);
  /// Waits until the socket is ready for `events`; false at the deadline.
  [[nodiscard]] bool ready(short events, const Deadline& deadline) const;
  /// One message of exactly `size_bytes`, or false at the deadline.
  bool receive(void* message, std::size_t size_bytes, const Deadline& deadline);
  void hang_up();
  [[noreturn]] void lose();
  [[noreturn]] void lose_silent();

  std::string executable_;
  std::uint64_t answer_timeout_ns_;
  files::FileDescriptor socket_;
  std::optional<Mapping> mapping_;  ///< Of the memory file: host memory, then the device's text.
  hw::Memory host_memory_;
  std::unique_ptr<process::ChildProcess> process_;
  bool closing_ = false;
  bool interrupted_ = false;  ///< The line has risen; not yet told by wait_interrupt().
  std::string lost_;          ///< How the process ended, once it is known to be lost.
};

}  // namespace ppu::driver
