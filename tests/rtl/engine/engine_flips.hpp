// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Bits of an engine's memories that are flipped.
#pragma once

#include "tests/rtl/engine/engine_fixture.hpp"

namespace ppu::test {

inline hw::CommandWords flip_of(ppu_fault_detail memory, std::uint32_t word, std::uint32_t group,
                                std::uint32_t bit, bool two) {
  hw::CommandWords words{};
  const auto put = [&words](const spec::CommandField& field, std::uint32_t value) {
    words[field.word] |= value << field.lsb;
  };
  put(spec::command_field::kOpcode, static_cast<std::uint32_t>(spec::CommandOpcode::kFlip));
  put(spec::command_field::kFlags, two ? spec::kFlagTwo : 0);
  put(spec::command_field::kFlipMemory, memory);
  put(spec::command_field::kFlipCode, group);
  put(spec::command_field::kFlipBit, bit);
  put(spec::command_field::kFlipWord, word);
  return words;
}

/// Words that a run may use: slots, bodies or addresses.
inline std::uint32_t words_of(ppu_fault_detail memory, const EngineJob& job) {
  if (memory == PPU_FAULT_INSTRUCTION_MEMORY) return job.command.program_words;
  const bool of_bodies = memory == PPU_FAULT_VELOCITY_MEMORY || memory == PPU_FAULT_BASE_MEMORY;
  return of_bodies ? job.command.body_count : job.command.row_count;
}

inline constexpr ppu_fault_detail kMemories[] = {
    PPU_FAULT_INSTRUCTION_MEMORY, PPU_FAULT_ROW_BODIES,    PPU_FAULT_ROW_JACOBIAN,
    PPU_FAULT_ROW_SCALARS,        PPU_FAULT_ROW_MASS,      PPU_FAULT_VELOCITY_MEMORY,
    PPU_FAULT_IMPULSE_MEMORY,     PPU_FAULT_PARENT_MEMORY, PPU_FAULT_BASE_MEMORY,
    PPU_FAULT_LINK_MEMORY};

}  // namespace ppu::test
