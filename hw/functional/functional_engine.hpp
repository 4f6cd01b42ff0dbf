// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The functional engine: the same firmware and the same row arithmetic, no time.
#pragma once

#include <atomic>

#include "hw/contract/device.hpp"
#include "hw/contract/run.hpp"
#include "hw/program/memory_flip.hpp"

namespace ppu::hw {

class FunctionalEngine {
 public:
  FunctionalEngine(const Config& config, Memory device_memory)
      : config_(config), memory_(device_memory), words_(config.instruction_memory_words) {}

  /// A `flip`: until the next run has ended. There are no links here.
  void flip(const MemoryFlip& flip) { flip_ = flip; }

  /// Writes words of instruction memory.
  void load_program(std::uint32_t address, const std::uint32_t* words, std::uint32_t count);
  /// Runs a checked command; returns soon after `cancel` becomes true, or when its quota is spent:
  /// there is no time, but an instruction takes a cycle or more. What the program signals goes to
  /// `progress`.
  RunReport run(const RunCommand& command, const std::atomic<bool>& cancel,
                std::atomic<std::uint32_t>* progress);

 private:
  Config config_;
  Memory memory_;
  InstructionMemory words_;
  MemoryFlip flip_;
};

}  // namespace ppu::hw
