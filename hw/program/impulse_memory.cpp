// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/program/impulse_memory.hpp"

#include <algorithm>
#include <cstring>

#include "hw/contract/host_records.hpp"

namespace ppu::hw {

void ImpulseMemory::load(const Memory& memory, const RunCommand& command) {
  *this = {};
  impulses.resize(command.row_count);
  if (!impulses.empty())
    std::memcpy(impulses.data(), memory.data + command.impulses_address,
                impulses.size() * sizeof(float));
}

std::uint32_t ImpulseMemory::beats() const {
  return beats_of(impulses.size() * sizeof(float));
}

std::uint64_t ImpulseMemory::store_beat(const Memory& memory, const RunCommand& command,
                                        std::uint32_t beat) const {
  constexpr std::size_t kImpulses = spec::kBeatBytes / sizeof(float);
  const std::size_t first = beat * kImpulses;
  const std::size_t bytes = std::min(kImpulses, impulses.size() - first) * sizeof(float);
  std::memcpy(memory.data + command.impulses_address + first * sizeof(float), &impulses[first],
              bytes);
  return strobe_of(0, static_cast<std::uint32_t>(bytes));
}

}  // namespace ppu::hw
