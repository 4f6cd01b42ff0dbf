// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a device shows of a run from outside, in its event log.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/contract/cycles.hpp"

namespace ppu::hw {

/// A row that a device has issued.
struct RowTimes {
  std::uint64_t issue;
  std::uint64_t write;  ///< kNever if the run ended before it.
  std::uint32_t slot;
  std::uint32_t pipe;
};

struct ObservedRun {
  bool timed = false;          ///< There is a log; without one the other members say nothing.
  std::vector<RowTimes> rows;  ///< In the order of issue.
  // Passes of at least one row.
  std::uint32_t passes = 0;                  ///< That have begun.
  std::uint32_t passes_cut = 0;              ///< The last so many of them were cut by the budget.
  std::vector<std::uint32_t> rdlate_values;  ///< What each `rdlate` read.
};

}  // namespace ppu::hw
