// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The timed device without SystemC.
#pragma once

#include <utility>

#include "hw/contract/clocked_device.hpp"
#include "hw/timed/device_core.hpp"

namespace ppu::hw {

class TimedDevice final : public ClockedDevice {
 public:
  /// `trace` may be null.
  TimedDevice(const Config& config, Memory host_memory, RowObservers observers = {},
              TraceSink* trace = nullptr)
      : core_(config, host_memory, std::move(observers), trace) {}
  /// `profiles`: the memory that copy_profile() copies to; may be empty.
  TimedDevice(const Config& config, const Surroundings& surroundings, RowObservers observers = {},
              TraceSink* trace = nullptr, Memory profiles = {})
      : core_(config, surroundings, std::move(observers), trace, profiles) {}

  void write_register(std::uint32_t offset, std::uint32_t value) override {
    core_.uncore().write_register(offset, value);
  }
  [[nodiscard]] std::uint32_t read_register(std::uint32_t offset) override {
    return core_.read_register(offset);
  }
  [[nodiscard]] bool interrupt() const override { return core_.uncore().interrupt(); }
  std::uint32_t copy_profile(std::uint32_t engine, std::uint32_t address) override {
    return core_.copy_profile(engine, address);
  }
  [[nodiscard]] std::string message() const override { return core_.message(); }

  [[nodiscard]] std::uint64_t cycle() const override { return core_.uncore().cycle(); }
  [[nodiscard]] bool busy() const override { return core_.uncore().busy(); }
  void run_until(std::uint64_t end) override { core_.uncore().run(end); }
  void stop() override { core_.uncore().stop(); }
  [[nodiscard]] std::uint64_t next_change() const override { return core_.uncore().next_change(); }
  void reset() override { core_.reset(); }

 private:
  DeviceCore core_;
};

}  // namespace ppu::hw
