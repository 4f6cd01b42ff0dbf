// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Where the cycles of one row went, summed over a run.
#pragma once

#include <cstdint>

namespace ppu::hw {

struct RowProfile {
  std::uint32_t cycles = 0;  ///< Issue, lanes and the stalls before the row.
  // Parts of `cycles`, by what the row waited for.
  std::uint32_t body_stall = 0;    ///< A velocity.
  std::uint32_t parent_stall = 0;  ///< An impulse.
  std::uint32_t fetch_stall = 0;   ///< Its record.
};

}  // namespace ppu::hw
