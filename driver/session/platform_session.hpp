// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A device on a platform of somebody else, by way of its callbacks.
#pragma once

#include "driver/session/session.hpp"
#include "hw/contract/config.hpp"

namespace ppu::driver {

class PlatformSession final : public Session {
 public:
  /// Throws Failure if the platform of `def` is not complete.
  PlatformSession(const ppu_device_def& def, const hw::Config& config);
  ~PlatformSession() override;
  PlatformSession(const PlatformSession&) = delete;
  PlatformSession& operator=(const PlatformSession&) = delete;

  [[nodiscard]] hw::Memory host_memory() const override {
    return {static_cast<std::byte*>(platform_.host_memory), platform_.host_memory_bytes};
  }
  void write_register(std::uint32_t offset, std::uint32_t value) override {
    platform_.write_register(platform_.context, offset, value);
  }
  std::uint32_t read_register(std::uint32_t offset) override {
    return platform_.read_register(platform_.context, offset);
  }
  [[nodiscard]] Deadline deadline(std::uint64_t timeout_ns) const override;
  bool wait_interrupt(const Deadline& deadline, std::uint32_t context = 0) override;
  std::uint32_t copy_profile(std::uint32_t, std::uint32_t) override { return 0; }
  [[nodiscard]] std::string device_text() override { return {}; }
  void close() override {}

 private:
  ppu_platform platform_;
};

}  // namespace ppu::driver
