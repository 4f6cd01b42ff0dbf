// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a device shows of a run from outside: its event log and its report.
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

/// Where the budget has cut a run, as far as the log does not say it: it has neither instructions
/// nor rows that are passed over. The two numbers follow from the counters: only one pair of them
/// leads to the counters of the device.
struct CutPoint {
  /// Passes that ended whole after the last row that issued: their last rows were passed over.
  std::uint32_t whole_passes = 0;
  /// `rdlate` instructions that executed after the first pass that was cut, but before the device
  /// was over its budget: they read 0.
  std::uint32_t early_looks = 0;
};

struct ObservedRun {
  bool timed = false;          ///< There is a log; without one the other members say nothing.
  std::vector<RowTimes> rows;  ///< In the order of issue.
  bool over_budget = false;    ///< The budget may have cut rows: they are not in the log.
  CutPoint cut;                ///< If it is over its budget.
};

}  // namespace ppu::hw
