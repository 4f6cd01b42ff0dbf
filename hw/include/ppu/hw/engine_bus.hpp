// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What surrounds a timed engine: device memory and the flow of time. Cycles count from the start of
// the run. Implemented by the SystemC engine module, and by a few lines in unit tests.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ppu::hw {

class EngineBus {
 public:
  virtual ~EngineBus() = default;
  /// Reads a burst requested in `cycle`; returns the cycle at which all of it has arrived.
  virtual std::uint64_t read(std::uint64_t cycle, std::uint64_t address, void* data,
                             std::size_t bytes) = 0;
  /// Writes a burst; returns the cycle at which it is done.
  virtual std::uint64_t write(std::uint64_t cycle, std::uint64_t address, const void* data,
                              std::size_t bytes) = 0;
  /// The engine has got to `cycle` and will request nothing before it; called now and then.
  virtual void advance(std::uint64_t cycle) = 0;
};

}  // namespace ppu::hw
