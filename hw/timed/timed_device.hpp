// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The timed device in plain C++: lets engines and uncore go on in turn, as far as each may without
// the other. The SystemC device (hw/systemc) does the same by events, in the same cycles.
#pragma once

#include "hw/timed/device_core.hpp"

namespace ppu::hw {

class TimedDevice final : public Device {
 public:
  /// `trace` may be null.
  TimedDevice(const Config& config, Memory host_memory, RowObservers observers = {},
              TraceSink* trace = nullptr)
      : core_(config, host_memory, std::move(observers), trace) {}

  void write_register(std::uint32_t offset, std::uint32_t value) override;
  [[nodiscard]] std::uint32_t read_register(std::uint32_t offset) override {
    return core_.read_register(offset);
  }
  bool step() override;
  [[nodiscard]] bool interrupt() const override { return core_.uncore().interrupt(); }
  std::uint32_t copy_profile(std::uint32_t engine, std::uint32_t address) override {
    return core_.copy_profile(engine, address);
  }
  [[nodiscard]] std::string message() const override { return core_.message(); }

  /// The device cycle that comes next.
  [[nodiscard]] std::uint64_t cycle() const { return core_.uncore().cycle(); }

 private:
  /// Engines go on that have to before the next cycle; false if there is none.
  bool advance_engines();

  DeviceCore core_;
};

}  // namespace ppu::hw
