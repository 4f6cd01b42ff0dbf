// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The cycles of the device: steps its blocks cycle by cycle as docs/inside/device.md says, engines
// ahead of them. Cycles in which nothing can change are counted, not stepped.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "hw/uncore/command_processor.hpp"

namespace ppu::hw {

class DeviceCycle {
 public:
  struct Blocks {
    RegisterBlock* registers = nullptr;
    CounterBlock* counters = nullptr;
    CommandProcessor* commands = nullptr;
    Dma* dma = nullptr;
    HostWriter* writer = nullptr;
    BeatPort *host_read = nullptr, *host_write = nullptr, *memory = nullptr;
    std::vector<EngineLink*> engines;
  };
  void connect(Blocks blocks) { on_ = std::move(blocks); }

  /// The cycle that comes next.
  [[nodiscard]] std::uint64_t cycle() const { return cycle_; }
  [[nodiscard]] bool busy() const;
  /// Steps up to cycle `end`, but stops when there is nothing to do, when the interrupt line rises,
  /// and after the cycle in which stop() was called.
  void run(std::uint64_t end);
  /// For a memory that is accessed in run().
  void stop() { end_ = 0; }
  /// Nothing changes before this cycle, unless a memory answers or a register is written.
  [[nodiscard]] std::uint64_t next_change() const;
  [[nodiscard]] std::uint32_t interrupts() const { return on_.registers->interrupts(); }
  /// Writes a register in the next cycle, and steps it.
  void write_register(std::uint32_t offset, std::uint32_t value);
  /// `lockstep_rows` is what that register shows.
  [[nodiscard]] std::uint32_t read_register(std::uint32_t offset,
                                            std::uint32_t lockstep_rows) const;
  /// Everything but the engines as after power-on.
  void reset();

 private:
  void step();
  /// Device memory answers with words whose bits have flipped: true if it does.
  bool take_flaw();
  void skip();
  [[nodiscard]] std::uint64_t next_event() const;
  [[nodiscard]] std::uint32_t busy_engines() const;
  void show_signals();

  Blocks on_;
  std::uint64_t cycle_ = 0;
  std::uint64_t end_ = 0;  ///< Of run().
  bool changed_ = false;   ///< In the last cycle that was stepped.
  CounterBlock::Activity activity_{};
};

}  // namespace ppu::hw
