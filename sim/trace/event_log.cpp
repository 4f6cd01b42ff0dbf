// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Event logs of a device, read with every line checked.
#include "sim/trace/event_log.hpp"

#include <algorithm>
#include <array>
#include <iostream>
#include <tuple>

#include "hw/contract/trace_log.hpp"
#include "ppu_spec.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/base/text.hpp"

namespace ppu::sim {
namespace {

constexpr std::array<std::string_view, 3> kDmaPhaseNames = {"idle", "move", "list"};

/// A wait of no row.
constexpr std::uint64_t kNoSlot = ~std::uint64_t{0};

/// Cycles stay exact as numbers of JSON and as nanoseconds in 64 bits.
constexpr std::uint64_t kMostCycles = std::uint64_t{1} << 53U;

template <class Names>
std::string_view name_at(const Names& names, std::uint64_t index) {
  return index < names.size() ? names[index] : std::string_view();
}

std::string_view reason_name(std::uint64_t reason) {
  for (const spec::CommandErrorInfo& error : spec::kCommandErrors)
    if (static_cast<std::uint64_t>(error.value) == reason) return error.name;
  return {};
}

bool is_possible(const TraceEvent& event) {
  if (event.cycle > kMostCycles) return false;
  switch (event.kind) {
    case TraceKind::kCommandBegin:
      return !opcode_name(event.b).empty();
    case TraceKind::kCommandReject:
      return !reason_name(event.b).empty();
    case TraceKind::kDmaPhase:
      return !dma_phase_name(event.a).empty();
    case TraceKind::kEnginePhase:
      return !engine_phase_name(event.a).empty();
    case TraceKind::kMemoryAccept:
      return event.b <= 1;
    default:
      return true;
  }
}

std::tuple<std::uint64_t, TraceKind, std::uint8_t, std::uint64_t, std::uint64_t> key_of(
    const TraceEvent& event) {
  return {event.cycle, event.kind, event.unit, event.a, event.b};
}

std::string happening(const TraceEvent& event) {
  const std::string unit = std::to_string(event.unit);
  const std::string a = std::to_string(event.a);
  switch (event.kind) {
    case TraceKind::kCommandBegin:
      return "command " + a + " (" + std::string(opcode_name(event.b)) + ") is begun";
    case TraceKind::kCommandReject:
      return "command " + a + " is rejected (" + std::string(reason_name(event.b)) + ")";
    case TraceKind::kFenceWritten:
      return "fence " + a + " is written";
    case TraceKind::kReportWritten:
      return "the report of engine " + unit + " is written";
    case TraceKind::kDmaPhase:
      return "the DMA enters " + std::string(dma_phase_name(event.a));
    case TraceKind::kMemoryAccept:
      return "device memory accepts a " + std::string(event.b == 0 ? "read" : "write") +
             " of address " + a + " from requester " + unit;
    case TraceKind::kHostRead:
      return "host memory accepts a read of address " + a;
    case TraceKind::kHostWrite:
      return "host memory accepts a write of address " + a;
    case TraceKind::kEnginePhase:
      return "engine " + unit + " enters " + std::string(engine_phase_name(event.a));
    case TraceKind::kPassBegin:
      return "engine " + unit + " begins a pass over " + std::to_string(event.b) +
             " rows from slot " + a + " on";
    case TraceKind::kPassCut:
      return "the budget of engine " + unit + " cuts a pass";
    case TraceKind::kRdlate:
      return "engine " + unit + " reads that " + a + " passes were cut";
    case TraceKind::kRowIssue:
      return "engine " + unit + " issues slot " + a + " on pipe " + std::to_string(event.b);
    case TraceKind::kRowRetire:
      return "engine " + unit + " retires slot " + a + " from pipe " + std::to_string(event.b);
    default:
      return "engine " + unit + " issues no row in " + counted(event.b, "cycle") + ": " +
             std::string(wait_name(event.kind)) + (event.a == kNoSlot ? "" : " of slot " + a);
  }
}

}  // namespace

std::string_view wait_name(TraceKind kind) {
  static constexpr std::array<ppu_counter, 9> kClasses = {
      PPU_COUNTER_BODY_STALL_CYCLES,   PPU_COUNTER_BODY_STALL_CYCLES,
      PPU_COUNTER_PARENT_STALL_CYCLES, PPU_COUNTER_FETCH_STALL_CYCLES,
      PPU_COUNTER_LANE_CYCLES,         PPU_COUNTER_BANK_STALL_CYCLES,
      PPU_COUNTER_FILTER_CYCLES,       PPU_COUNTER_DRAIN_CYCLES,
      PPU_COUNTER_CONTROL_CYCLES};
  const auto first = static_cast<std::size_t>(TraceKind::kWaitBodyA);
  return spec::kCounters[kClasses.at(static_cast<std::size_t>(kind) - first)].label;
}
std::string_view engine_phase_name(std::uint64_t phase) {
  return name_at(spec::kEnginePhaseNames, phase);
}
std::string_view dma_phase_name(std::uint64_t phase) {
  return name_at(kDmaPhaseNames, phase);
}
std::string_view opcode_name(std::uint64_t opcode) {
  for (const spec::CommandInfo& command : spec::kCommands)
    if (static_cast<std::uint64_t>(command.opcode) == opcode) return command.name;
  return {};
}

std::string describe(const TraceEvent& event) {
  return "cycle " + std::to_string(event.cycle) + ": " + happening(event);
}

bool comes_before(const TraceEvent& left, const TraceEvent& right) {
  return key_of(left) < key_of(right);
}
bool same_event(const TraceEvent& left, const TraceEvent& right) {
  return key_of(left) == key_of(right);
}

EventLog read_event_log(const std::string& path) {
  EventLog log;
  try {
    hw::TraceLogReader reader(path);
    for (TraceEvent event{}; reader.next(&event); log.events.push_back(event))
      if (!is_possible(event)) reader.fail("is nothing that happens in a device");
    log.complete = reader.complete();
  } catch (const hw::TraceLogError& error) {
    throw CliError(kExitUsage, error.what());
  }
  if (log.events.empty()) throw CliError(kExitUsage, path + ": holds no event");
  std::sort(log.events.begin(), log.events.end(), comes_before);
  if (!log.complete)
    std::cerr << "ppu: warning: " << path << ": the log ends early, at cycle "
              << log.events.back().cycle << "\n";
  return log;
}

}  // namespace ppu::sim
