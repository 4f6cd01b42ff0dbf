// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A device inside this process: time passes for it on one worker thread, between the accesses of
// the host.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "driver/session/mapping.hpp"
#include "driver/session/session.hpp"

namespace ppu::driver {

class LocalSession final : public Session {
 public:
  using MakeDevice = std::function<std::unique_ptr<hw::Device>(hw::Memory host_memory)>;

  LocalSession(const hw::Config& config, const MakeDevice& make_device);
  ~LocalSession() override;
  LocalSession(const LocalSession&) = delete;
  LocalSession& operator=(const LocalSession&) = delete;

  [[nodiscard]] hw::Memory host_memory() const override { return mapping_.memory(); }
  void write_register(std::uint32_t offset, std::uint32_t value) override;
  std::uint32_t read_register(std::uint32_t offset) override;
  bool wait_interrupt(const Deadline& deadline, std::uint32_t context = 0) override;
  std::uint32_t copy_profile(std::uint32_t engine, std::uint32_t address) override;
  [[nodiscard]] std::string device_text() override;
  void close() override {}

 private:
  void work();
  /// The device is the host's, between two steps; rethrows what the device has thrown.
  std::unique_lock<std::mutex> stop_time();

  /// Tells the host which interrupt lines are up, or what the device has thrown.
  void publish(const std::exception_ptr& error);

  Mapping mapping_;
  std::unique_ptr<hw::Device> device_;
  std::mutex turn_mutex_;  ///< Held by whoever uses the device.
  std::condition_variable device_turn_;
  std::atomic<bool> host_waits_{false};  ///< For its turn.
  bool written_ = false;                 ///< A register, since the last step.
  bool closing_ = false;
  std::mutex event_mutex_;
  std::condition_variable event_;
  std::uint32_t interrupts_ = 0;  ///< The lines that are up.
  std::exception_ptr error_;      ///< What the device has thrown.
  std::thread worker_;
};

}  // namespace ppu::driver
