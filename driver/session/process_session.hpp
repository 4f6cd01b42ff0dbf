// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A device in a process of its own: shared host memory and messages over a socket pair (see
// hw/contract/protocol.hpp). Whatever happens to that process, this one gets PPU_ERROR_DEVICE_LOST.
// Of the threads that wait one is at the socket, and takes for all what comes.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
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
  bool wait_interrupt(const Deadline& deadline, std::uint32_t context = 0) override;
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
  using Lock = std::unique_lock<std::mutex>;
  /// Until `there` says so; false at the deadline. Throws Failure if the device is lost.
  template <class There>
  bool wait_for(Lock& lock, const Deadline& deadline, There there);
  /// The message that is at the socket.
  void take_message();
  void take(void* message, std::size_t size_bytes);
  void hang_up();
  [[noreturn]] void lose();
  [[noreturn]] void lose_silent();

  std::string executable_;
  std::atomic<std::uint64_t> answer_timeout_ns_;
  files::FileDescriptor socket_;
  std::optional<Mapping> mapping_;  ///< Of the memory file: host memory, then the device's text.
  hw::Memory host_memory_;
  std::unique_ptr<process::ChildProcess> process_;
  bool closing_ = false;

  std::mutex ask_mutex_;  ///< Held by who waits for an answer.
  std::mutex mutex_;      ///< Of what follows, and of what is sent.
  std::condition_variable news_;
  bool at_socket_ = false;  ///< A thread waits for messages.
  bool asked_ = false;      ///< An answer is to come.
  std::optional<std::uint32_t> answer_;
  std::uint32_t interrupts_ = 0;  ///< Lines that have risen; not yet told by wait_interrupt().
  std::string lost_;              ///< How the process ended, once it is known to be lost.
};

}  // namespace ppu::driver
