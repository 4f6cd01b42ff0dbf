// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A device with cycles that somebody else lets pass: the model and the Verilated RTL, whether a
// loop drives them or the modules of a SystemC platform.
#pragma once

#include <cstdint>

#include "hw/contract/device.hpp"

namespace ppu::hw {

class ClockedDevice : public Device {
 public:
  /// The device cycle that comes next; it stands still while there is nothing to do. A register is
  /// written in it.
  [[nodiscard]] virtual std::uint64_t cycle() const = 0;
  /// There is something to do.
  [[nodiscard]] virtual bool busy() const = 0;
  /// Lets time pass up to cycle `end`, but stops when there is nothing to do, when the interrupt
  /// line rises, and after the cycle in which stop() was called.
  virtual void run_until(std::uint64_t end) = 0;
  /// For a memory that is accessed in run_until().
  virtual void stop() = 0;
  /// Nothing changes before this cycle, unless a memory answers or a register is written.
  [[nodiscard]] virtual std::uint64_t next_change() const = 0;
  /// As after power-on, in cycle 0, but for device memory and instruction memory.
  virtual void reset() = 0;

  /// A loop that lets time pass.
  bool step() override {
    constexpr std::uint64_t kCycles = 100'000;
    run_until(cycle() + kCycles);
    return busy();
  }
};

}  // namespace ppu::hw
