// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a device shows of a run from outside: its event log and its report.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/contract/engine_port.hpp"
#include "hw/contract/run.hpp"

namespace ppu::hw {

/// A row that a device has issued.
struct RowTimes {
  std::uint64_t issue;
  std::uint64_t write;  ///< kNever if the run ended before it.
  std::uint32_t slot;
  std::uint32_t pipe;
};

/// A log has neither instructions nor rows that are passed over, so of a run that its budget cut
/// two numbers are not in it. They follow from the counters: only one pair gives those of the
/// device.
struct CutPoint {
  std::uint32_t whole_passes = 0;  ///< Passes that ended with rows passed over behind the last row
                                   ///< that issued, before one was cut.
  std::uint32_t early_looks = 0;   ///< `rdlate` that came behind the first pass to be cut, and
                                   ///< before the device was late.
};

struct ObservedRun {
  bool timed = false;          ///< There is a log; what follows is of it.
  std::vector<RowTimes> rows;  ///< In the order of issue.
  bool late = false;           ///< Rows that are not in it may have been cut by the budget.
  CutPoint cut;
};

}  // namespace ppu::hw
