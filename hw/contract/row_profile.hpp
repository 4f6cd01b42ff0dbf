// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Where the cycles of one row went, summed over a run.
#pragma once

#include <cstdint>

namespace ppu::hw {

struct RowProfile {
  std::uint32_t cycles = 0;        ///< Issue, lanes and the stalls before the row.
  std::uint32_t body_stall = 0;    ///< ... of which waiting for a body.
  std::uint32_t parent_stall = 0;  ///< ... of which waiting for an impulse.
  std::uint32_t fetch_stall = 0;   ///< ... of which waiting for its record.
};

}  // namespace ppu::hw
