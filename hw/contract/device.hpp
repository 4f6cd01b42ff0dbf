// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A device as the driver sees it, whatever runs it: registers, host memory that it can reach, and
// an interrupt line. Implemented by the functional device (in the host's process), and by the
// SystemC model and the Verilated RTL (in a device process).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "hw/contract/config.hpp"

namespace ppu::hw {

/// `size_bytes` bytes at `data`: device memory, or the host memory shared by host and device.
struct Memory {
  std::byte* data = nullptr;
  std::size_t size_bytes = 0;
};

/// One simulated device. Not thread-safe: one thread writes registers and lets time pass.
class Device {
 public:
  virtual ~Device() = default;
  /// Writes a device register (ppu_register); one without that offset is ignored.
  virtual void write_register(std::uint32_t offset, std::uint32_t value) = 0;
  /// Reads a device register; 0 where there is none.
  [[nodiscard]] virtual std::uint32_t read_register(std::uint32_t offset) = 0;
  /// Lets the device work for a while (some milliseconds of host time at most, or until the
  /// interrupt line rises). False if it has nothing to do.
  virtual bool step() = 0;
  /// The interrupt lines that are up: bit c is that of context c.
  [[nodiscard]] virtual std::uint32_t interrupts() const = 0;
  [[nodiscard]] bool interrupt() const { return interrupts() != 0; }
  /// Copies the row profile of the last run of `engine` to host address `address`; returns the
  /// number of records, 0 on devices that keep none.
  virtual std::uint32_t copy_profile(std::uint32_t engine, std::uint32_t address) = 0;
  /// What an ended run has to say beyond its report (a lockstep difference), else empty.
  [[nodiscard]] virtual std::string message() const { return {}; }
  /// Completes the waves that it writes; the last call. Throws std::runtime_error if it cannot.
  virtual void close() {}
};

}  // namespace ppu::hw
