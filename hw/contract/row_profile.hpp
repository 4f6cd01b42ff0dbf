// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Where the cycles of one row went, summed over a run.
#pragma once

#include <cstdint>

namespace ppu::hw {

struct RowProfile {
  std::uint32_t visits = 0;  ///< How often it issued.
  std::uint32_t cycles = 0;  ///< Its issue and the waits before it.
  // Parts of `cycles`, by what the row waited for.
  std::uint32_t body_stall = 0;    ///< A velocity.
  std::uint32_t body_b_stall = 0;  ///< Part of body_stall: that of body b came last.
  std::uint32_t parent_stall = 0;  ///< An impulse.
  std::uint32_t fetch_stall = 0;   ///< Its record.
  std::uint32_t lane_stall = 0;    ///< Its pipe, which takes a row in several cycles.
  std::uint32_t bank_stall = 0;    ///< A bank that another row uses.
  std::uint32_t filter_stall = 0;  ///< The search for rows that are not passed over.
};

}  // namespace ppu::hw
