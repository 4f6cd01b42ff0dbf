// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The timeline of a device as a Chrome trace: commands, DMA, device memory, host link, engines.
#include "sim/trace/perfetto.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <set>

#include "sim/trace/chrome_trace.hpp"

namespace ppu::sim {
namespace {

using Json = ChromeTrace::Json;

// Groups of tracks, from top to bottom; engine e is kEngines + e.
constexpr std::uint32_t kCommands = 1;
constexpr std::uint32_t kDma = 2;
constexpr std::uint32_t kMemory = 3;
constexpr std::uint32_t kLink = 4;
constexpr std::uint32_t kEngines = 10;
// Tracks of an engine; the rows in flight follow.
constexpr std::uint32_t kPhases = 1;
constexpr std::uint32_t kStalls = 2;
constexpr std::uint32_t kFirstLane = 3;

/// A command lasts until the next one is begun or rejected, or a fence is written.
class CommandTrack {
 public:
  explicit CommandTrack(ChromeTrace& trace) : trace_(trace) {
    trace_.name_group(kCommands, "command processor");
    trace_.name_track(kTrack, "commands");
  }
  void take(const TraceEvent& event) {
    switch (event.kind) {
      case TraceKind::kCommandBegin:
        close(event.cycle);
        open_ = &event;
        return;
      case TraceKind::kCommandReject:
        close(event.cycle);
        return trace_.instant(kTrack, describe(event), event.cycle, {{"command", event.a}});
      case TraceKind::kFenceWritten:
        close(event.cycle);
        return trace_.instant(kTrack, "fence written", event.cycle, {{"value", event.a}});
      default:
        return;
    }
  }
  void close(std::uint64_t cycle) {
    if (open_ != nullptr)
      trace_.slice(kTrack, std::string(opcode_name(open_->b)), open_->cycle, cycle,
                   {{"command", open_->a}});
    open_ = nullptr;
  }

 private:
  static constexpr ChromeTrace::Track kTrack{kCommands, 1};
  ChromeTrace& trace_;
  const TraceEvent* open_ = nullptr;
};

void add_commands(const std::vector<TraceEvent>& events, ChromeTrace& trace) {
  CommandTrack track(trace);
  for (const TraceEvent& event : events) track.take(event);
  track.close(end_of(events));
}

void add_dma(const std::vector<TraceEvent>& events, ChromeTrace& trace) {
  trace.name_group(kDma, "DMA");
  trace.name_track({kDma, 1}, "state");
  for (const Span& span : phase_spans(events, TraceKind::kDmaPhase))
    trace.slice({kDma, 1}, std::string(dma_phase_name(span.state)), span.begin, span.end,
                {{"cycle", span.begin}});
}

/// Beats on a port, counted in windows of cycles, a line per requester.
class BeatCounter {
 public:
  BeatCounter(std::uint64_t window_cycles, std::vector<std::string> lines)
      : window_cycles_(window_cycles), lines_(std::move(lines)) {}

  void count(std::uint64_t cycle, std::size_t line) {
    std::vector<std::uint64_t>& beats = windows_[cycle / window_cycles_];
    beats.resize(lines_.size());
    ++beats[line];
  }
  void draw(std::uint32_t group, ChromeTrace& trace) const {
    const std::string name = "beats in " + std::to_string(window_cycles_) + " cycles";
    const auto draw_at = [&](std::uint64_t window, const std::vector<std::uint64_t>& beats) {
      Json values;
      for (std::size_t line = 0; line < lines_.size(); ++line) values[lines_[line]] = beats[line];
      trace.counter(group, name, window * window_cycles_, values);
    };
    for (const auto& [window, beats] : windows_) {
      draw_at(window, beats);
      if (windows_.count(window + 1) == 0)
        draw_at(window + 1, std::vector<std::uint64_t>(lines_.size()));
    }
  }

 private:
  std::uint64_t window_cycles_;
  std::vector<std::string> lines_;
  std::map<std::uint64_t, std::vector<std::uint64_t>> windows_;
};

/// A power of two that gives some thousand windows for what is drawn.
std::uint64_t window_cycles(const std::vector<TraceEvent>& events, const Window& window) {
  constexpr std::uint64_t kWindows = 2048;
  const std::uint64_t first = std::max(events.front().cycle, window.first);
  const std::uint64_t last = std::min(events.back().cycle, window.last);
  std::uint64_t cycles = 16;
  while (first < last && (last - first) / cycles > kWindows) cycles *= 2;
  return cycles;
}

std::set<std::uint8_t> engines_of(const std::vector<TraceEvent>& events) {
  std::set<std::uint8_t> engines;
  for (const TraceEvent& event : events)
    if (event.kind == TraceKind::kEnginePhase || event.kind == TraceKind::kRowIssue)
      engines.insert(event.unit);
  return engines;
}

/// An engine that asks for memory has phases; the other requester is the DMA.
void add_memory(const std::vector<TraceEvent>& events, std::uint64_t cycles, ChromeTrace& trace) {
  std::map<std::uint8_t, std::size_t> line_of;
  for (const TraceEvent& event : events)
    if (event.kind == TraceKind::kMemoryAccept) line_of[event.unit] = 0;
  if (line_of.empty()) return;
  const std::set<std::uint8_t> engines = engines_of(events);
  std::vector<std::string> lines;
  for (auto& [unit, line] : line_of) {
    line = lines.size();
    lines.push_back(engines.count(unit) > 0 ? "engine " + std::to_string(unit) : "DMA");
  }
  BeatCounter beats(cycles, lines);
  for (const TraceEvent& event : events)
    if (event.kind == TraceKind::kMemoryAccept) beats.count(event.cycle, line_of.at(event.unit));
  trace.name_group(kMemory, "device memory");
  beats.draw(kMemory, trace);
}

void add_link(const std::vector<TraceEvent>& events, std::uint64_t cycles, ChromeTrace& trace) {
  BeatCounter beats(cycles, {"reads", "writes"});
  for (const TraceEvent& event : events) {
    if (event.kind == TraceKind::kHostRead) beats.count(event.cycle, 0);
    if (event.kind == TraceKind::kHostWrite) beats.count(event.cycle, 1);
  }
  trace.name_group(kLink, "host link");
  beats.draw(kLink, trace);
}

/// The row and the body that a row waits for, if it is a wait for one.
void add_source(const TraceEvent& wait, const RowUpdate& row, const Sources& sources,
                const RowLabels& labels, Json* arguments) {
  const std::size_t side = wait.kind == TraceKind::kWaitBodyB ? 1 : 0;
  const bool body = wait.kind == TraceKind::kWaitBodyA || wait.kind == TraceKind::kWaitBodyB;
  const RowUpdate* const by = body                                  ? sources.body[side]
                              : wait.kind == TraceKind::kWaitParent ? sources.parent
                                                                    : nullptr;
  if (body) (*arguments)["body"] = label_of(row, labels).body[side];
  if (by != nullptr) (*arguments)["waits_for"] = name_of(*by, labels);
}

/// The cycles of a run in which no row issues, with the reasons that the log tells.
void add_waits(const std::vector<TraceEvent>& events, const std::vector<RowUpdate>& rows,
               const RowLabels& labels, const std::vector<Sources>& sources, std::uint8_t engine,
               ChromeTrace& trace) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, const RowUpdate*> issues;  // Slot, cycle.
  for (const RowUpdate& row : rows)
    if (row.engine == engine) issues[{row.slot, row.issue}] = &row;
  for (const TraceEvent& wait : events) {
    if (!hw::is_wait(wait.kind) || wait.unit != engine) continue;
    Json arguments = {{"cycles", wait.b}};
    const auto row = issues.lower_bound({wait.a, wait.cycle});
    if (row != issues.end() && row->first.first == wait.a) {
      const auto place = static_cast<std::size_t>(row->second - rows.data());
      arguments["row"] = name_of(*row->second, labels);
      if (!labels.empty()) add_source(wait, *row->second, sources[place], labels, &arguments);
    }
    trace.slice({kEngines + engine, kStalls}, std::string(wait_name(wait.kind)), wait.cycle,
                wait.cycle + wait.b, arguments);
  }
}

/// The same of a log that tells no reasons.
void add_gaps(const std::vector<TraceEvent>& events, const std::vector<RowUpdate>& rows,
              std::uint8_t engine, ChromeTrace& trace) {
  auto row = rows.begin();
  for (const Span& span : phase_spans(events, TraceKind::kEnginePhase)) {
    if (span.unit != engine || static_cast<EnginePhase>(span.state) != EnginePhase::kRun) continue;
    std::uint64_t idle_from = span.begin;
    const auto stall_until = [&](std::uint64_t cycle) {
      if (idle_from < cycle)
        trace.slice({kEngines + engine, kStalls}, "no issue", idle_from, cycle,
                    {{"cycles", cycle - idle_from}});
    };
    for (; row != rows.end() && row->issue < span.end; ++row) {
      if (row->engine != engine || row->issue < span.begin) continue;
      stall_until(row->issue);
      idle_from = row->issue + 1;
    }
    stall_until(span.end);
  }
}

/// Phases, and in phase `run` the stalls.
void add_phases(const std::vector<TraceEvent>& events, const std::vector<RowUpdate>& rows,
                const RowLabels& labels, const std::vector<Sources>& sources, std::uint8_t engine,
                ChromeTrace& trace) {
  const std::uint32_t group = kEngines + engine;
  trace.name_group(group, "engine " + std::to_string(engine));
  trace.name_track({group, kPhases}, "phase");
  trace.name_track({group, kStalls}, "stalls");
  for (const Span& span : phase_spans(events, TraceKind::kEnginePhase))
    if (span.unit == engine)
      trace.slice({group, kPhases}, std::string(engine_phase_name(span.state)), span.begin,
                  span.end, {{"cycle", span.begin}});
  const bool tells = std::any_of(events.begin(), events.end(), [engine](const TraceEvent& event) {
    return hw::is_wait(event.kind) && event.unit == engine;
  });
  if (tells)
    add_waits(events, rows, labels, sources, engine, trace);
  else
    add_gaps(events, rows, engine, trace);
}

/// Rows in flight, each on the lowest lane of its pipe that is free.
class Lanes {
 public:
  std::uint32_t take(std::uint64_t begin, std::uint64_t end) {
    while (!busy_.empty() && busy_.top().first <= begin) {
      free_.insert(busy_.top().second);
      busy_.pop();
    }
    if (free_.empty()) free_.insert(count_++);
    const std::uint32_t lane = *free_.begin();
    free_.erase(free_.begin());
    busy_.emplace(end, lane);
    return lane;
  }
  [[nodiscard]] std::uint32_t count() const { return count_; }

 private:
  using Busy = std::pair<std::uint64_t, std::uint32_t>;  // Until when, lane.
  std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy_;
  std::set<std::uint32_t> free_;
  std::uint32_t count_ = 0;
};

Json arguments_of(const RowUpdate& row, const RowLabels& labels) {
  Json arguments = {{"slot", row.slot}, {"sweep", row.sweep}, {"cycle", row.issue}};
  if (labels.empty()) return arguments;
  const RowLabel& label = label_of(row, labels);
  arguments["row"] = label.row;
  arguments["kind"] = label.kind;
  arguments["bodies"] = label.body;
  if (label.parent >= 0) arguments["parent"] = label.parent;
  return arguments;
}

void add_pipe(const std::vector<RowUpdate>& rows, const RowLabels& labels, std::uint8_t engine,
              std::uint64_t pipe, std::uint64_t end, std::uint32_t* next_track,
              ChromeTrace& trace) {
  const std::uint32_t group = kEngines + engine;
  Lanes lanes;
  for (const RowUpdate& row : rows) {
    if (row.engine != engine || row.pipe != pipe) continue;
    const std::uint64_t retire = row.retire == kOpenEnd ? end : row.retire;
    trace.slice({group, *next_track + lanes.take(row.issue, retire)}, name_of(row, labels),
                row.issue, retire, arguments_of(row, labels));
  }
  for (std::uint32_t lane = 0; lane < lanes.count(); ++lane)
    trace.name_track({group, *next_track + lane},
                     "pipe " + std::to_string(pipe) + " place " + std::to_string(lane + 1));
  *next_track += lanes.count();
}

/// How many rows each pipe of the engine has in flight.
void add_in_flight(const std::vector<RowUpdate>& rows, std::uint8_t engine, std::uint64_t end,
                   ChromeTrace& trace) {
  std::map<std::uint64_t, std::int64_t> change;
  for (const RowUpdate& row : rows) {
    if (row.engine != engine) continue;
    ++change[row.issue];
    --change[row.retire == kOpenEnd ? end : row.retire];
  }
  std::int64_t in_flight = 0;
  for (const auto& [cycle, difference] : change) {
    in_flight += difference;
    if (difference != 0)
      trace.counter(kEngines + engine, "rows in flight", cycle, {{"rows", in_flight}});
  }
}

}  // namespace

std::string perfetto_trace(const std::vector<TraceEvent>& events,
                           const std::vector<RowUpdate>& rows, const RowLabels& labels,
                           const std::vector<Sources>& sources, const Window& window,
                           std::uint32_t clock_mhz) {
  ChromeTrace trace(window, clock_mhz);
  const std::uint64_t cycles = window_cycles(events, window);
  add_commands(events, trace);
  add_dma(events, trace);
  add_memory(events, cycles, trace);
  add_link(events, cycles, trace);
  for (const std::uint8_t engine : engines_of(events)) {
    add_phases(events, rows, labels, sources, engine, trace);
    add_in_flight(rows, engine, end_of(events), trace);
    std::set<std::uint64_t> pipes;
    for (const RowUpdate& row : rows)
      if (row.engine == engine) pipes.insert(row.pipe);
    std::uint32_t next_track = kFirstLane;
    for (const std::uint64_t pipe : pipes)
      add_pipe(rows, labels, engine, pipe, end_of(events), &next_track, trace);
  }
  return std::move(trace).str();
}

std::string perfetto_of_log(const std::string& log, const RowLabels& labels,
                            std::uint32_t clock_mhz) {
  const std::vector<TraceEvent> events = read_event_log(log).events;
  const std::vector<RowUpdate> rows = row_updates(log, events);
  return perfetto_trace(events, rows, labels, sources_of(log, rows, labels), Window{}, clock_mhz);
}

}  // namespace ppu::sim
