// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The timing of memory and link counts picoseconds.
#pragma once

#include <cstdint>

namespace ppu::hw {

inline constexpr std::uint64_t kPsPerNs = 1000;
inline constexpr std::uint64_t kPsPerUs = 1000000;

}  // namespace ppu::hw
