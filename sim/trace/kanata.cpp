// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row updates as a Kanata log. Its lines are in the order of cycles, so the stages of all rows are
// collected and sorted first.
#include "sim/trace/kanata.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "sim/base/cli_error.hpp"

namespace ppu::sim {
namespace {

/// Cycles of the stages after the issue; they add up to the body latency.
struct StageLengths {
  std::uint64_t dot, step, add;
};

std::uint64_t cycles_of(const spec::Moment& moment, const hw::Config& config) {
  return static_cast<std::uint64_t>(moment.mul_stages) * config.fp_mul_stages +
         static_cast<std::uint64_t>(moment.add_stages) * config.fp_add_stages +
         static_cast<std::uint64_t>(moment.cycles);
}

/// The first operation of that name: the one of the rate form. The impulse form splits the same
/// time in another place.
const spec::KernelOp& operation(std::string_view name) {
  return *std::find_if(spec::kKernelOps.begin(), spec::kKernelOps.end(),
                       [name](const spec::KernelOp& op) { return op.name == name; });
}

StageLengths stage_lengths(const hw::Config& config) {
  // Fewer than 12 lanes lengthen dot product and scaled add.
  const auto folding = static_cast<std::uint64_t>(hw::initiation_interval(config)) - 1;
  const std::uint64_t step = cycles_of(operation("step").start, config);
  const std::uint64_t add = cycles_of(operation("axpy").start, config);
  return {step + folding, add - step, cycles_of(spec::kPipeEnd, config) - add + folding};
}

/// A row with the cycle from which it is at the head of its pipe.
struct Entry {
  std::uint64_t begin;
  const RowUpdate* row;
};

/// In the order in which the rows come to the heads of their pipes; that is their number.
std::vector<Entry> entries_of(const std::vector<TraceEvent>& events,
                              const std::vector<RowUpdate>& rows, const Window& window) {
  std::map<std::uint8_t, std::vector<std::uint64_t>> runs;  // Begins of engine's phase `run`.
  for (const Span& span : phase_spans(events, TraceKind::kEnginePhase))
    if (static_cast<EnginePhase>(span.state) == EnginePhase::kRun)
      runs[span.unit].push_back(span.begin);
  std::map<std::pair<std::uint8_t, std::uint64_t>, std::uint64_t> head;  // Since when it is free.
  std::vector<Entry> entries;
  for (const RowUpdate& row : rows) {
    std::uint64_t& free = head[{row.engine, row.pipe}];
    const std::vector<std::uint64_t>& begins = runs[row.engine];
    const auto run = std::upper_bound(begins.begin(), begins.end(), row.issue);
    if (run != begins.begin()) free = std::max(free, *(run - 1));
    if (window.holds(row.issue)) entries.push_back({free == 0 ? row.issue : free, &row});
    free = row.issue + 1;
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.begin < b.begin; });
  return entries;
}

/// A line of the log without its number of the row.
struct Line {
  std::uint64_t cycle;
  std::size_t id;
  char command;              ///< I, W, S, E, R as in the log.
  char argument;             ///< S, E: the stage. R: '0' retired, '1' flushed.
  std::size_t producer = 0;  ///< W: the row whose result it takes.
};

class Kanata {
 public:
  Kanata(const std::string& path, const std::vector<TraceEvent>& events, const RowLabels& labels,
         const hw::Config& config)
      : path_(path),
        labels_(labels),
        end_(end_of(events)),
        lengths_(stage_lengths(config)),
        latency_(static_cast<std::uint64_t>(hw::body_latency(config))) {}

  void add(std::size_t id, const Entry& entry) {
    const RowUpdate& row = *entry.row;
    check(row);
    const std::uint64_t end = row.retire == kOpenEnd ? end_ : row.retire + 1;
    std::uint64_t at = std::min(entry.begin, row.issue);
    lines_.push_back({at, id, 'I', ' ', 0});
    const auto stage = [&](char name, std::uint64_t cycles) {
      const std::uint64_t past = std::min(at + cycles, end);
      if (at >= past) return;
      lines_.push_back({at, id, 'S', name, 0});
      lines_.push_back({past, id, 'E', name, 0});
      at = past;
    };
    stage('F', row.issue - at);
    stage('I', 1);
    stage('D', lengths_.dot);
    stage('S', lengths_.step);
    stage('A', lengths_.add);
    stage('W', 1);
    lines_.push_back({end, id, 'R', row.retire == kOpenEnd ? '1' : '0', 0});
  }

  /// The row `id` takes a result of the row `producer`: an arrow to its issue.
  void depend(std::size_t id, std::size_t producer, const Entry& entry) {
    lines_.push_back({entry.row->issue, id, 'W', ' ', producer});
  }

  std::string str(const std::vector<Entry>& entries) && {
    std::stable_sort(lines_.begin(), lines_.end(),
                     [](const Line& a, const Line& b) { return a.cycle < b.cycle; });
    std::string text = "Kanata\t0004\n";
    std::uint64_t cycle = lines_.empty() ? 0 : lines_.front().cycle;
    text += "C=\t" + std::to_string(cycle) + "\n";
    for (const Line& line : lines_) {
      if (line.cycle != cycle) text += "C\t" + std::to_string(line.cycle - cycle) + "\n";
      cycle = line.cycle;
      write(line, *entries[line.id].row, &text);
    }
    return text;
  }

 private:
  void check(const RowUpdate& row) const {
    if (row.retire == kOpenEnd || row.retire - row.issue == latency_) return;
    throw CliError(kExitUsage, path_ + ": slot " + std::to_string(row.slot) + " takes " +
                                   std::to_string(row.retire - row.issue) +
                                   " cycles from its issue in cycle " + std::to_string(row.issue) +
                                   ", rows of this configuration take " + std::to_string(latency_) +
                                   ": name the device's with --config and --set");
  }

  void write(const Line& line, const RowUpdate& row, std::string* text) {
    const std::string id = "\t" + std::to_string(line.id) + "\t";
    switch (line.command) {
      case 'I':
        *text += "I" + id + std::to_string(row.slot) + "\t" + std::to_string(row.engine) + "\n";
        *text += "L" + id + "0\t" + name_of(row, labels_) + " pipe " + std::to_string(row.pipe) +
                 " engine " + std::to_string(row.engine) + "\n";
        if (!labels_.empty()) *text += "L" + id + "1\tslot " + std::to_string(row.slot) + "\n";
        return;
      case 'W':
        *text += "W" + id + std::to_string(line.producer) + "\t0\n";
        return;
      case 'R':
        *text += "R" + id + std::to_string(line.argument == '0' ? retired_++ : retired_) + "\t" +
                 line.argument + "\n";
        return;
      default:
        *text += line.command + id + "0\t" + line.argument + "\n";
    }
  }

  const std::string& path_;
  const RowLabels& labels_;
  std::uint64_t end_;
  StageLengths lengths_;
  std::uint64_t latency_;
  std::uint64_t retired_ = 0;
  std::vector<Line> lines_;
};

}  // namespace

std::string kanata_log(const std::string& path, const std::vector<TraceEvent>& events,
                       const std::vector<RowUpdate>& rows, const RowLabels& labels,
                       const std::vector<Sources>& sources, const Window& window,
                       const hw::Config& config) {
  const std::vector<Entry> entries = entries_of(events, rows, window);
  std::map<const RowUpdate*, std::size_t> id_of;
  for (std::size_t id = 0; id < entries.size(); ++id) id_of[entries[id].row] = id;
  Kanata kanata(path, events, labels, config);
  for (std::size_t id = 0; id < entries.size(); ++id) {
    kanata.add(id, entries[id]);
    if (labels.empty()) continue;
    const Sources& of_row = sources[static_cast<std::size_t>(entries[id].row - rows.data())];
    std::set<std::size_t> producers;
    for (const RowUpdate* const producer : {of_row.body[0], of_row.body[1], of_row.parent})
      if (id_of.count(producer) > 0) producers.insert(id_of.at(producer));
    for (const std::size_t producer : producers) kanata.depend(id, producer, entries[id]);
  }
  return std::move(kanata).str(entries);
}

}  // namespace ppu::sim
