// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The functional engine: the same firmware and the same row arithmetic, no time.
#pragma once

#include "ppu/hw/device.hpp"

namespace ppu::hw {

class FunctionalEngine final : public Executor {
 public:
  FunctionalEngine(const Config& config, DeviceMemory memory) : config_(config), memory_(memory) {}
  RunReport run(const RunCommand& command, const std::atomic<bool>& cancel) override;

 private:
  Config config_;
  DeviceMemory memory_;
};

}  // namespace ppu::hw
