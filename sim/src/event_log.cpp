// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Event logs of a device, read with every line checked.
#include "event_log.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>

#include "cli_error.hpp"
#include "files.hpp"
#include "ppu_spec.hpp"
#include "text.hpp"

namespace ppu::sim {
namespace {

// In the order of the enumerators.
constexpr std::array<std::string_view, kTraceKinds> kKindNames = {
    "command_begin", "command_reject", "fence_written", "report_written",
    "dma_phase",     "memory_accept",  "host_read",     "host_write",
    "engine_phase",  "row_issue",      "row_retire"};
constexpr std::array<std::string_view, 6> kEnginePhaseNames = {"idle",  "load", "run",
                                                               "store", "done", "abort"};
constexpr std::array<std::string_view, 3> kDmaPhaseNames = {"idle", "move", "list"};

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

/// What a line holds, without bytes that would upset a terminal.
std::string excerpt(std::string_view line) {
  constexpr std::size_t kMost = 60;
  std::string text(line.substr(0, kMost));
  for (char& letter : text)
    if (letter < ' ' || letter > '~') letter = '?';
  return "'" + text + (line.size() > kMost ? "...'" : "'");
}

class LogParser {
 public:
  explicit LogParser(std::string path) : path_(std::move(path)) {}

  std::vector<TraceEvent> parse(std::string_view text) {
    std::vector<TraceEvent> events;
    while (!text.empty()) {
      ++line_;
      const std::size_t end = text.find('\n');
      if (end == std::string_view::npos)
        fail("the last line, " + excerpt(text) + ", has no end: the log is cut off");
      events.push_back(event_of(text.substr(0, end)));
      text.remove_prefix(end + 1);
    }
    if (events.empty()) throw CliError(kExitUsage, path_ + ": holds no event");
    return events;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw CliError(kExitUsage, path_ + ":" + std::to_string(line_) + ": " + what);
  }

  TraceEvent event_of(std::string_view line) const {
    std::array<std::string_view, 5> words;
    std::string_view rest = line;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      const std::size_t space = rest.find(' ');
      if (space == std::string_view::npos)
        fail("got " + excerpt(line) + ", expected CYCLE KIND UNIT A B");
      words[i] = rest.substr(0, space);
      rest.remove_prefix(space + 1);
    }
    words.back() = rest;
    const auto kind = std::find(kKindNames.begin(), kKindNames.end(), words[1]);
    if (kind == kKindNames.end())
      fail("unknown kind " + excerpt(words[1]) + ", expected one of " +
           joined({kKindNames.begin(), kKindNames.end()}));
    const TraceEvent event{number(words[0], "cycle", kMostCycles),
                           static_cast<TraceKind>(kind - kKindNames.begin()),
                           static_cast<std::uint8_t>(number(words[2], "unit", UINT8_MAX)),
                           number(words[3], "a", UINT64_MAX), number(words[4], "b", UINT64_MAX)};
    check_names(event, line);
    return event;
  }

  std::uint64_t number(std::string_view word, const char* what, std::uint64_t most) const {
    std::uint64_t value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || stop != word.data() + word.size() || value > most)
      fail(std::string(what) + " is " + excerpt(word) + ", expected a number up to " +
           std::to_string(most));
    return value;
  }

  void check_names(const TraceEvent& event, std::string_view line) const {
    const bool known = event.kind == TraceKind::kCommandBegin    ? !opcode_name(event.b).empty()
                       : event.kind == TraceKind::kCommandReject ? !reason_name(event.b).empty()
                       : event.kind == TraceKind::kDmaPhase      ? !dma_phase_name(event.a).empty()
                       : event.kind == TraceKind::kEnginePhase
                           ? !engine_phase_name(event.a).empty()
                           : event.kind != TraceKind::kMemoryAccept || event.b <= 1;
    if (!known) fail(excerpt(line) + " names nothing that a device has");
  }

  std::string path_;
  std::size_t line_ = 0;
};

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
    case TraceKind::kRowIssue:
      return "engine " + unit + " issues row " + a + " on pipe " + std::to_string(event.b);
    case TraceKind::kRowRetire:
      return "engine " + unit + " retires row " + a + " from pipe " + std::to_string(event.b);
  }
  return {};
}

}  // namespace

std::string_view kind_name(TraceKind kind) {
  return name_at(kKindNames, static_cast<std::uint64_t>(kind));
}
std::string_view engine_phase_name(std::uint64_t phase) {
  return name_at(kEnginePhaseNames, phase);
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

std::vector<TraceEvent> read_event_log(const std::string& path) {
  std::vector<TraceEvent> events = LogParser(path).parse(read_file(path));
  std::sort(events.begin(), events.end(), comes_before);
  return events;
}

}  // namespace ppu::sim
