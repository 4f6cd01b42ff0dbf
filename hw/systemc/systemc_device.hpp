// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The SystemC device of a device process: the PPU as it is on any platform, on one that has nothing
// but host memory and a port for the host. SystemC elaborates once in a process, so there can be
// one of them.
#pragma once

#include <memory>
#include <string>

#include "hw/systemc/model.hpp"

namespace ppu::hw {

class SystemcDevice final : public Device {
 public:
  /// `trace` may be null.
  SystemcDevice(const Config& config, Memory host_memory, RowObservers observers, TraceSink* trace);
  ~SystemcDevice() override;

  void write_register(std::uint32_t offset, std::uint32_t value) override;
  [[nodiscard]] std::uint32_t read_register(std::uint32_t offset) override;
  bool step() override;
  [[nodiscard]] std::uint32_t interrupts() const override { return model_->interrupts(); }
  std::uint32_t copy_profile(std::uint32_t engine, std::uint32_t address) override {
    return model_->copy_profile(engine, address);
  }
  [[nodiscard]] std::string message() const override { return model_->message(); }

 private:
  struct Platform;
  std::unique_ptr<Platform> platform_;
  systemc::Model* model_ = nullptr;
};

}  // namespace ppu::hw
