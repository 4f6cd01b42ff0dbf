// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The complete device in Verilated RTL (rtl/device/ppu_top.sv) behind the interface of every
// device. Nothing else in the tree includes Verilator's headers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "hw/contract/beat_target.hpp"
#include "hw/contract/clocked_device.hpp"
#include "hw/contract/config.hpp"
#include "hw/contract/trace.hpp"

namespace ppu::hw {

/// What of the device is written as FST waves.
struct WaveRequest {
  std::string path;   ///< File, or empty: nothing.
  std::string scope;  ///< Module instance below which waves are written, or empty: all.
  std::uint64_t first_cycle = 0;
  std::uint64_t last_cycle = ~std::uint64_t{0};
};

/// A device in reset state, built for the shape of `config`; `trace` may be null. `seed` randomises
/// what reset does not set. Throws ConfigError naming the configurations that were built if there
/// is none, or if the waves cannot be written. write_register() and step() throw std::runtime_error
/// if an assertion of the RTL fails, or if it leaves a memory.
std::unique_ptr<ClockedDevice> create_rtl_device(const Config& config, Memory host_memory,
                                                 const WaveRequest& waves = {},
                                                 TraceSink* trace = nullptr, int seed = 1);
/// The same among memories of somebody else.
std::unique_ptr<ClockedDevice> create_rtl_device(const Config& config,
                                                 const Surroundings& surroundings,
                                                 const WaveRequest& waves = {},
                                                 TraceSink* trace = nullptr, int seed = 1);

}  // namespace ppu::hw
