// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Cycles of a device are counted from its reset.
#pragma once

#include <cstdint>

namespace ppu::hw {

/// The cycle of what does not happen, or is not known to happen yet.
inline constexpr std::uint64_t kNever = ~std::uint64_t{0};

/// So many cycles later; kNever stays what it is.
constexpr std::uint64_t plus(std::uint64_t cycle, std::uint64_t later) {
  return cycle == kNever ? kNever : cycle + later;
}

}  // namespace ppu::hw
