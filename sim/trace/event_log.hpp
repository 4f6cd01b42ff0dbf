// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Event logs of a device (hw/contract/trace_log.hpp), as the SystemC model and the RTL write them:
// read with every line checked, brought into one order, put into words.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw/contract/trace.hpp"

namespace ppu::sim {

using hw::EnginePhase;
using hw::TraceEvent;
using hw::TraceKind;

/// Number of kinds: kCommandBegin to kControl.
inline constexpr std::size_t kTraceKinds = static_cast<std::size_t>(TraceKind::kControl) + 1;

/// "body hazard" and so on: the class of the cycles of a wait, as the counters call it.
std::string_view wait_name(TraceKind kind);
/// "load" and so on.
std::string_view engine_phase_name(std::uint64_t phase);
/// "idle", "move" or "list".
std::string_view dma_phase_name(std::uint64_t phase);
/// "copy_in" and so on.
std::string_view opcode_name(std::uint64_t opcode);
/// One line for people: "cycle 120: engine 0 issues slot 7 on pipe 1".
std::string describe(const TraceEvent& event);

/// By cycle, kind, unit, a, b: the order in which two logs of the same work are equal line by line.
bool comes_before(const TraceEvent& left, const TraceEvent& right);
bool same_event(const TraceEvent& left, const TraceEvent& right);

/// What is in a log. One that was cut off, as that of an interrupted run, holds what its whole
/// lines tell.
struct EventLog {
  std::vector<TraceEvent> events;  ///< In order, at least one.
  bool complete = true;
};

/// Reads a log; warns on standard error of one that was cut off. Throws CliError (usage) that names
/// the line.
EventLog read_event_log(const std::string& path);

}  // namespace ppu::sim
