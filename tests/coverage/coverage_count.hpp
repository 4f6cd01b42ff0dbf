// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A count of a Verilated model: in place of an atomic one, which would take most of the time of a
// simulation.
#pragma once

#include <atomic>
#include <cstdint>

namespace ppu {

struct CoverageCount {
  void fetch_add(std::uint32_t more, std::memory_order) { value += more; }
  std::uint32_t value = 0;
};

}  // namespace ppu
