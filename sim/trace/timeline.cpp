// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Spans and rows from the events of a log.
#include "sim/trace/timeline.hpp"

#include <deque>
#include <map>

#include "sim/base/cli_error.hpp"

namespace ppu::sim {
namespace {

/// Follows the rows of all pipes through the events. A pipe keeps its rows in order.
class RowTracker {
 public:
  explicit RowTracker(const std::string& path) : path_(path) {}

  void take(const TraceEvent& event) {
    switch (event.kind) {
      case TraceKind::kEnginePhase:
        return enter(event);
      case TraceKind::kRowIssue:
        return issue(event);
      case TraceKind::kRowRetire:
        return retire(event);
      default:
        return;
    }
  }

  std::vector<RowUpdate> rows() && { return std::move(rows_); }

 private:
  /// Number of the engine, then of its pipe or slot.
  using Key = std::pair<std::uint8_t, std::uint64_t>;

  void enter(const TraceEvent& event) {
    if (static_cast<EnginePhase>(event.a) != EnginePhase::kLoad) return;
    run_of_engine_[event.unit] = runs_++;
    const Key first{event.unit, 0};
    const Key last{event.unit, kOpenEnd};
    sweeps_.erase(sweeps_.lower_bound(first), sweeps_.upper_bound(last));
    in_flight_.erase(in_flight_.lower_bound(first), in_flight_.upper_bound(last));
  }

  void issue(const TraceEvent& event) {
    in_flight_[{event.unit, event.b}].push_back(rows_.size());
    rows_.push_back({event.cycle, kOpenEnd, event.unit, event.b, event.a,
                     ++sweeps_[{event.unit, event.a}], run_of_engine_[event.unit]});
  }

  void retire(const TraceEvent& event) {
    std::deque<std::size_t>& pipe = in_flight_[{event.unit, event.b}];
    if (pipe.empty())
      throw CliError(kExitUsage,
                     path_ + ": " + describe(event) +
                         ", but no row is in flight there: the log lacks its beginning");
    RowUpdate& row = rows_[pipe.front()];
    if (row.slot != event.a)
      throw CliError(kExitUsage, path_ + ": " + describe(event) +
                                     ", but the oldest row there is of slot " +
                                     std::to_string(row.slot) + ", issued in cycle " +
                                     std::to_string(row.issue));
    row.retire = event.cycle;
    pipe.pop_front();
  }

  const std::string& path_;
  std::vector<RowUpdate> rows_;
  std::size_t runs_ = 0;
  std::map<std::uint8_t, std::size_t> run_of_engine_;
  std::map<Key, std::uint64_t> sweeps_;
  std::map<Key, std::deque<std::size_t>> in_flight_;
};

}  // namespace

std::uint64_t end_of(const std::vector<TraceEvent>& events) {
  return events.back().cycle + 1;
}

std::vector<Span> phase_spans(const std::vector<TraceEvent>& events, TraceKind kind) {
  std::vector<Span> spans;
  std::map<std::uint8_t, std::size_t> open;  // Span of the unit's present state.
  for (const TraceEvent& event : events) {
    if (event.kind != kind) continue;
    const auto present = open.find(event.unit);
    if (present != open.end()) {
      spans[present->second].end = event.cycle;
      open.erase(present);
    }
    if (event.a == 0) continue;
    open[event.unit] = spans.size();
    spans.push_back({event.cycle, end_of(events), event.unit, event.a});
  }
  return spans;
}

std::vector<RowUpdate> row_updates(const std::string& path, const std::vector<TraceEvent>& events) {
  RowTracker tracker(path);
  for (const TraceEvent& event : events) tracker.take(event);
  return std::move(tracker).rows();
}

}  // namespace ppu::sim
