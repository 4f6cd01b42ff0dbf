// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a device shows of a run from outside, in its event log.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/contract/cycles.hpp"
#include "hw/contract/trace.hpp"

namespace ppu::hw {

/// A row that a device has issued.
struct RowTimes {
  std::uint64_t issue;
  std::uint64_t write;  ///< kNever if the run ended before it.
  std::uint32_t slot;
  std::uint32_t pipe;
};

/// A pass of at least one row.
struct ObservedPass {
  std::uint64_t begin;  ///< Cycle of its `rows`.
  std::uint32_t first, count;
};

struct ObservedRdlate {
  std::uint64_t cycle;
  std::uint32_t value;  ///< What it read.
};

struct ObservedRun {
  bool timed = false;          ///< There is a log; without one the other members say nothing.
  std::vector<RowTimes> rows;  ///< In the order of issue.
  std::vector<ObservedPass> passes;
  std::vector<std::uint64_t> cuts;  ///< Cycles in which the budget cut the last so many passes.
  std::vector<ObservedRdlate> rdlates;

  /// Takes an event of the run's engine, unless it is of a row. Cuts may come in any order.
  void take(const TraceEvent& event);
};

}  // namespace ppu::hw
