// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A device on a platform in a shared library (ppu/platform.h).
#pragma once

#include <string>

#include "hw/contract/config.hpp"
#include "hw/contract/device.hpp"
#include "ppu/platform.h"

namespace ppu::hw {

class PlatformDevice final : public Device {
 public:
  /// Throws ConfigError if the library cannot be loaded or makes no platform of this.
  PlatformDevice(const std::string& library, const Config& config, Memory host_memory);
  ~PlatformDevice() override;
  PlatformDevice(const PlatformDevice&) = delete;
  PlatformDevice& operator=(const PlatformDevice&) = delete;

  void write_register(std::uint32_t offset, std::uint32_t value) override {
    platform_.write_register(platform_.context, offset, value);
  }
  [[nodiscard]] std::uint32_t read_register(std::uint32_t offset) override {
    return platform_.read_register(platform_.context, offset);
  }
  bool step() override;
  /// It has one line.
  [[nodiscard]] std::uint32_t interrupts() const override {
    return platform_.wait_interrupt(platform_.context, 0) ? 1 : 0;
  }
  std::uint32_t copy_profile(std::uint32_t, std::uint32_t) override { return 0; }

 private:
  void* library_;
  ppu_platform platform_{};
};

}  // namespace ppu::hw
