// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/program/memory_flip.hpp"

namespace ppu::hw {

std::optional<RunStop> FlippedWord::check_move(const VelocityMemory& bodies, bool ahead) {
  const bool moved = flip.word < bodies.velocities.size() &&
                     (is(PPU_FAULT_VELOCITY_MEMORY) || (ahead && is(PPU_FAULT_BASE_MEMORY)));
  if (use(moved ? 1 : 0)) return std::nullopt;
  return stop(PPU_NONE);
}

std::optional<RunStop> FlippedWord::check_store(ImpulseMemory* rows, VelocityMemory* bodies) {
  // Whole beats are read, of 16 impulses or 2 velocities.
  const auto is_in = [this](std::size_t words, std::size_t beat) {
    return flip.word < (words + beat - 1) / beat * beat;
  };
  const bool stored = (is(PPU_FAULT_IMPULSE_MEMORY) && is_in(rows->impulses.size(), 16)) ||
                      (is(PPU_FAULT_VELOCITY_MEMORY) && is_in(bodies->velocities.size(), 2));
  if (use(stored ? 1 : 0)) return std::nullopt;
  if (is(PPU_FAULT_VELOCITY_MEMORY) && flip.word < bodies->velocities.size())
    bodies->velocities[flip.word] = {};
  if (is(PPU_FAULT_IMPULSE_MEMORY) && flip.word < rows->impulses.size())
    rows->impulses[flip.word] = 0;
  return stop(PPU_NONE);
}

}  // namespace ppu::hw
