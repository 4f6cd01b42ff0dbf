// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu diff-trace A B`: the first event in which two event logs of the same work differ.
#include <algorithm>
#include <array>
#include <iostream>
#include <memory>

#include "sim/base/cli_error.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/commands/commands.hpp"
#include "sim/trace/event_log.hpp"

namespace ppu::sim {
namespace {

/// Common events shown before a difference, and cycles to look at around it.
constexpr std::ptrdiff_t kContext = 5;
constexpr std::uint64_t kMargin = 100;

struct Log {
  const char* name;
  std::string path;
  std::vector<TraceEvent> events;
};
using Place = std::vector<TraceEvent>::const_iterator;

constexpr const char* kWaits = "what the next row waits for (Engine, Issue)";
/// What decides the cycle of an event, in the order of TraceKind; see docs/inside/device.md.
constexpr std::array<const char*, kTraceKinds> kCauses = {
    "when a command is fetched, and what it waits for (Command processor)",
    "when a command is fetched, and how it is checked (Command processor)",
    "the writer and the acknowledgements of the host link (Command processor, Ports)",
    "the writer and the acknowledgements of the host link (Command processor, Ports)",
    "the states of the DMA and its last acknowledgement (DMA)",
    "who asks for memory, the arbiter, and when memory is ready (Memory arbiter, DRAM timing)",
    "command fetch, descriptors and reads of the DMA, and the link (Command processor, DMA, Link "
    "timing)",
    "the writer, writes of the DMA, and the link (Command processor, DMA, Link timing)",
    "the memory responses or the last instruction of that phase (Engine)",
    "what the `rows` waits for: the passes before it (Engine, Rows)",
    "the budget of the run (Engine, Budget)",
    "the instructions before it, and what it reads (Engine, Budget)",
    "what the row waits for: record, lanes, hazards, banks (Engine, Issue)",
    "the issue of the row and the latency of the row pipe (Engine, In flight)",
    kWaits,
    kWaits,
    kWaits,
    kWaits,
    kWaits,
    kWaits,
    kWaits,
    kWaits,
    kWaits};

/// The same happening, in whatever cycle.
Place find_same(const TraceEvent& event, Place from, Place end) {
  return std::find_if(from, end, [&event](const TraceEvent& other) {
    return other.kind == event.kind && other.unit == event.unit && other.a == event.a &&
           other.b == event.b;
  });
}

/// "A: cycle 12: ...", and whether the other log has it at another time.
std::string side(const Log& log, Place at, const Log& other, Place other_at) {
  std::string text = std::string("  ") + log.name + ": ";
  if (at == log.events.end()) return text + "ends here\n";
  text += describe(*at);
  const Place there = find_same(*at, other_at, other.events.end());
  text += std::string("; ") + other.name + " ";
  if (there == other.events.end()) return text + "does not have it from here on\n";
  if (there->cycle == at->cycle) return text + "has it in the same cycle\n";
  const bool later = there->cycle > at->cycle;
  const std::uint64_t cycles = later ? there->cycle - at->cycle : at->cycle - there->cycle;
  return text + "has it in cycle " + std::to_string(there->cycle) + ", " + grouped(cycles) +
         (later ? " later\n" : " earlier\n");
}

std::string trace_command(const Log& log, std::uint64_t cycle) {
  const std::string stem = std::string(1, static_cast<char>(log.name[0] - 'A' + 'a'));
  return "  ppu trace " + shell_word(log.path) + " --from " +
         std::to_string(cycle - std::min(cycle, kMargin)) + " --to " +
         std::to_string(cycle + kMargin) + " --perfetto " + stem + ".json --kanata " + stem +
         ".kanata --config CONFIG\n";
}

void print_difference(const Log& a, Place at_a, const Log& b, Place at_b) {
  const std::ptrdiff_t common = at_a - a.events.begin();
  std::cout << grouped(static_cast<std::uint64_t>(common)) << " events are equal";
  std::cout << (common > 0 ? "; the last of them:\n" : "\n");
  for (Place event = at_a - std::min(common, kContext); event != at_a; ++event)
    std::cout << "  " << describe(*event) << "\n";
  const bool a_first =
      at_b == b.events.end() || (at_a != a.events.end() && comes_before(*at_a, *at_b));
  const TraceEvent& first = a_first ? *at_a : *at_b;
  const std::string of_a = side(a, at_a, b, at_b);
  const std::string of_b = side(b, at_b, a, at_a);
  std::cout << "the first that differs:\n"
            << (a_first ? of_a : of_b) << "what " << (a_first ? b : a).name
            << " has in its place:\n"
            << (a_first ? of_b : of_a);
  std::cout << "look at " << kCauses[static_cast<std::size_t>(first.kind)] << ":\n"
            << trace_command(a, first.cycle) << trace_command(b, first.cycle);
}

bool tells_of_wait(const TraceEvent& event) {
  return hw::is_wait(event.kind);
}

/// The RTL does not tell for what rows wait: then those of a model are left out.
void leave_waits_out(EventLog* a, EventLog* b) {
  for (const EventLog* const log : {a, b})
    if (std::none_of(log->events.begin(), log->events.end(), tells_of_wait))
      for (EventLog* const one : {a, b})
        one->events.erase(std::remove_if(one->events.begin(), one->events.end(), tells_of_wait),
                          one->events.end());
}

ExitCode diff_trace(const std::string& path_a, const std::string& path_b) {
  EventLog read_a = read_event_log(path_a);
  EventLog read_b = read_event_log(path_b);
  leave_waits_out(&read_a, &read_b);
  const bool complete = read_a.complete && read_b.complete;
  const Log a{"A", path_a, std::move(read_a.events)};
  const Log b{"B", path_b, std::move(read_b.events)};
  const auto [at_a, at_b] =
      std::mismatch(a.events.begin(), a.events.end(), b.events.begin(), b.events.end(), same_event);
  if (at_a == a.events.end() && at_b == b.events.end()) {
    std::cout << (complete ? "equal: " : "equal as far as they go, but not both to their end: ")
              << grouped(a.events.size()) << " events, cycles " << grouped(a.events.front().cycle)
              << " to " << grouped(a.events.back().cycle) << "\n";
    return complete ? kExitOk : kExitMismatch;
  }
  std::cout << "A is " << path_a << ", B is " << path_b << "\n";
  print_difference(a, at_a, b, at_b);
  return kExitMismatch;
}

}  // namespace

void add_diff_trace(CLI::App& app, int& exit_code) {
  auto paths = std::make_shared<std::pair<std::string, std::string>>();
  Command command = add_command(app, "diff-trace",
                                "Find the first event in which two event "
                                "logs differ");
  command.add_option("a", paths->first, "Event log of a device").required();
  command.add_option("b", paths->second, "Another one, of the same work").required();
  add_examples(command, {"ppu diff-trace parity-systemc.log parity-rtl.log",
                         "ppu diff-trace before.log after.log"});
  command.callback([paths, &exit_code] { exit_code = diff_trace(paths->first, paths->second); });
}

}  // namespace ppu::sim
