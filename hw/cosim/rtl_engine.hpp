// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// An engine in Verilated RTL (rtl/engine/ppu_engine.sv) in the place of a timed one. Nothing else
// in the tree includes Verilator's headers.
#pragma once

#include <cstdint>
#include <memory>

#include "hw/contract/config.hpp"
#include "hw/contract/device.hpp"
#include "hw/contract/engine_port.hpp"

namespace ppu::hw {

class RtlEngine : public EngineUnit {
 public:
  /// An engine in reset state, number `index` of a device, built for the shape of `config`; what it
  /// writes goes to `device_memory`. `seed` randomises what reset does not set. Throws ConfigError
  /// naming the configurations that were built if there is none. All that lets time pass throws
  /// std::runtime_error if an assertion of the RTL fails.
  static std::unique_ptr<RtlEngine> create(const Config& config, std::uint32_t index,
                                           Memory device_memory, EnginePort& port, int seed = 1);
  /// Whatever it does is dropped; the instruction memory stays.
  virtual void reset() = 0;
};

}  // namespace ppu::hw
