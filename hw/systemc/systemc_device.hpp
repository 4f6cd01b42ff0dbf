// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The SystemC device: one module for the uncore and one for each engine. SystemC elaborates once in
// a process, so there can be one of them.
#pragma once

#include <deque>

#include "hw/systemc/uncore_module.hpp"

namespace ppu::hw {

class SystemcDevice final : public Device {
 public:
  /// `trace` may be null.
  SystemcDevice(const Config& config, Memory host_memory, RowObservers observers, TraceSink* trace);

  void write_register(std::uint32_t offset, std::uint32_t value) override {
    uncore_->write_register(offset, value);
  }
  [[nodiscard]] std::uint32_t read_register(std::uint32_t offset) override {
    return core_.read_register(offset);
  }
  bool step() override;
  [[nodiscard]] bool interrupt() const override { return core_.uncore().interrupt(); }
  std::uint32_t copy_profile(std::uint32_t engine, std::uint32_t address) override {
    return core_.copy_profile(engine, address);
  }
  [[nodiscard]] std::string message() const override { return core_.message(); }

 private:
  DeviceCore core_;
  std::deque<EngineModule> engines_;
  std::unique_ptr<UncoreModule> uncore_;
};

}  // namespace ppu::hw
