// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Flipped bits in the memories of an engine with check bits (memory_protection=1). The model keeps
// no check bits: a word with one flipped bit reads as it was written and counts, one with two is
// lost.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "hw/contract/command.hpp"
#include "hw/contract/run_stop.hpp"
#include "hw/program/impulse_memory.hpp"
#include "hw/program/velocity_memory.hpp"

namespace ppu::hw {

/// The stop of a run that uses a lost word; `row` is the slot of the row that does, or PPU_NONE.
inline RunStop memory_fault(ppu_fault_detail memory, std::uint32_t word, std::uint32_t row) {
  return {PPU_RUN_MEMORY_FAULT, row, static_cast<std::uint32_t>(memory), {}, word};
}

/// The word of an engine's memories that a `flip` is about, and how often it was corrected.
struct FlippedWord {
  MemoryFlip flip;
  std::uint64_t corrected = 0;

  [[nodiscard]] bool is(ppu_fault_detail memory) const { return flip.memory == memory; }
  [[nodiscard]] bool is_lost(ppu_fault_detail memory, std::uint32_t word) const {
    return is(memory) && flip.word == word && flip.two;
  }
  /// The stop of a use of the word by the row in `row`.
  [[nodiscard]] RunStop stop(std::uint32_t row) const {
    return memory_fault(flip.memory, flip.word, row);
  }
  /// The word is used `times` times; false if it is lost.
  bool use(std::uint64_t times) {
    if (times > 0 && flip.two) return false;
    corrected += times;
    return true;
  }

  /// False if a row that issues uses a lost word; counts those that are corrected. Not its links.
  template <class Control>
  [[nodiscard]] PPU_INLINE bool reads_well(Control control, const ppu_row& row,
                                           std::uint32_t slot) {
    return is(PPU_FAULT_NONE) || use(is_used(control, row, slot) ? 1 : 0);
  }
  /// The stop of a row for which that is false.
  template <class Control>
  [[nodiscard]] std::optional<RunStop> row_stop(Control control, const ppu_row& row,
                                                std::uint32_t slot) const {
    if (!flip.two || !is_used(control, row, slot)) return std::nullopt;
    return stop(slot);
  }
  /// The stop of a `settle` or `ahead` that is about to read a lost word, if there is one.
  [[nodiscard]] std::optional<RunStop> check_move(const VelocityMemory& bodies, bool ahead);
  /// The same of the store at the end of the run; a lost word becomes 0.
  [[nodiscard]] std::optional<RunStop> check_store(ImpulseMemory* rows, VelocityMemory* bodies);

 private:
  template <class Control>
  [[nodiscard]] bool is_used(Control control, const ppu_row& row, std::uint32_t slot) const {
    if (flip.word == PPU_NONE) return false;
    switch (flip.memory) {
      case PPU_FAULT_ROW_BODIES:
      case PPU_FAULT_ROW_JACOBIAN:
      case PPU_FAULT_ROW_SCALARS:
      case PPU_FAULT_ROW_MASS:
      case PPU_FAULT_IMPULSE_MEMORY:
        return slot == flip.word;
      case PPU_FAULT_VELOCITY_MEMORY:
        return row.body_a == flip.word || row.body_b == flip.word;
      case PPU_FAULT_PARENT_MEMORY:
        return row.parent == flip.word &&
               (control.bounds() == spec::Bounds::kCone || control.skip() == spec::Skip::kOn);
      default:
        return false;
    }
  }
};

/// Instruction memory.
class InstructionMemory {
 public:
  explicit InstructionMemory(std::uint32_t words) : words_(words) {}

  /// Writes words; that of `flip`, if it is one of them, with flipped bits.
  void load(std::uint32_t address, const std::uint32_t* words, std::uint32_t count,
            const MemoryFlip& flip) {
    std::copy_n(words, count, words_.begin() + address);
    flips_.erase(flips_.lower_bound(address), flips_.lower_bound(address + count));
    if (flip.memory == PPU_FAULT_INSTRUCTION_MEMORY && flip.word - address < count)
      flips_[flip.word] = flip.two;
  }
  [[nodiscard]] const std::uint32_t* at(std::uint32_t address) const { return &words_[address]; }
  /// Words with flipped bits: true if they are lost.
  [[nodiscard]] const std::map<std::uint32_t, bool>& flips() const { return flips_; }

 private:
  std::vector<std::uint32_t> words_;
  std::map<std::uint32_t, bool> flips_;
};

}  // namespace ppu::hw
