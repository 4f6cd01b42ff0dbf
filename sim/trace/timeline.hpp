// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the events of a log make together: spans of time in which a unit was in one state, and rows
// on their way from issue to retirement.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/trace/event_log.hpp"

namespace ppu::sim {

inline constexpr std::uint64_t kOpenEnd = ~std::uint64_t{0};

/// First and last cycle that are looked at.
struct Window {
  std::uint64_t first = 0;
  std::uint64_t last = kOpenEnd;
  [[nodiscard]] bool holds(std::uint64_t cycle) const { return first <= cycle && cycle <= last; }
};

/// A unit is in `state` in cycles [begin, end).
struct Span {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint8_t unit;
  std::uint64_t state;
};

/// One update of one row.
struct RowUpdate {
  std::uint64_t issue;
  std::uint64_t
      retire;  ///< kOpenEnd if the log has no retirement: cut off, or the run was aborted.
  std::uint8_t engine;
  std::uint64_t pipe;
  std::uint64_t slot;
  std::uint64_t sweep;  ///< How often the slot has issued in this run, from 1.
  std::size_t run;      ///< In the log, from 0, in the order in which engines took them.
};

/// The cycle after the last event; `events` are sorted and not empty.
std::uint64_t end_of(const std::vector<TraceEvent>& events);

/// The states that events of `kind` (kDmaPhase, kEnginePhase) tell, idle ones left out, by begin.
std::vector<Span> phase_spans(const std::vector<TraceEvent>& events, TraceKind kind);

/// Every row update by issue, engine and slot: the same numbers in the logs of model and RTL.
/// Throws CliError (usage) where the log `path` does not make sense.
std::vector<RowUpdate> row_updates(const std::string& path, const std::vector<TraceEvent>& events);

}  // namespace ppu::sim
