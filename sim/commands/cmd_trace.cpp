// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu trace LOG`: what an event log holds, as a timeline for Perfetto and as a pipeline view for
// Konata.
#include <algorithm>
#include <array>
#include <iostream>
#include <iterator>
#include <memory>

#include "base/files/file_replacement.hpp"
#include "hw/contract/config.hpp"
#include "hw/contract/trace_log.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/commands/commands.hpp"
#include "sim/measure/measures.hpp"
#include "sim/problem/problem.hpp"
#include "sim/solve/options.hpp"
#include "sim/trace/kanata.hpp"
#include "sim/trace/perfetto.hpp"

namespace ppu::sim {
namespace {

struct TraceOptions {
  std::string log;
  std::string perfetto;
  std::string kanata;
  Window window;
  Options device;  ///< --problem, --order, --config and --set only.
};

/// A device is opened and its program loaded before anything else, up to the first fence.
std::string opening_in_words(const std::vector<TraceEvent>& events) {
  const auto first = std::find_if(events.begin(), events.end(), [](const TraceEvent& event) {
    return event.kind == TraceKind::kCommandBegin;
  });
  if (first == events.end() || first->a != 0 || opcode_name(first->b) != "load_program") return {};
  const auto fence = std::find_if(first, events.end(), [](const TraceEvent& event) {
    return event.kind == TraceKind::kFenceWritten;
  });
  if (fence == events.end()) return {};
  return "up to cycle " + grouped(fence->cycle) +
         ", the first fence: the opening of the device and the loading of its program\n";
}

/// Of what lies in the window.
std::string summary(const std::vector<TraceEvent>& all, const std::vector<RowUpdate>& all_rows,
                    const Window& window) {
  std::vector<TraceEvent> events;
  std::copy_if(all.begin(), all.end(), std::back_inserter(events),
               [&window](const TraceEvent& event) { return window.holds(event.cycle); });
  if (events.empty()) return "no event is in the window\n";
  const auto rows = static_cast<std::uint64_t>(
      std::count_if(all_rows.begin(), all_rows.end(),
                    [&window](const RowUpdate& row) { return window.holds(row.issue); }));
  std::array<std::uint64_t, kTraceKinds> counts{};
  for (const TraceEvent& event : events) ++counts[static_cast<std::size_t>(event.kind)];
  Table table({"event", "count"});
  for (std::size_t kind = 0; kind < kTraceKinds; ++kind)
    table.add({std::string(hw::name_of(static_cast<TraceKind>(kind))), grouped(counts[kind])});
  return "cycles " + grouped(events.front().cycle) + " to " + grouped(events.back().cycle) + ", " +
         grouped(events.size()) + " events, " + grouped(rows) + " row updates\n" +
         opening_in_words(events) + table.str();
}

void warn_outside(const Window& window, const std::vector<TraceEvent>& events) {
  const std::uint64_t first = events.front().cycle;
  const std::uint64_t last = events.back().cycle;
  if (window.first <= last && window.last >= first) return;
  std::cerr << "ppu: warning: no cycle of the log is in the window of --from and --to, it has "
            << grouped(first) << " to " << grouped(last) << "\n";
}

/// None without a problem.
RowLabels labels_of(const Options& options, const std::vector<RowUpdate>& rows) {
  if (options.problem.empty()) return {};
  std::size_t runs = 1;
  for (const RowUpdate& row : rows) runs = std::max(runs, row.run + 1);
  const model::RowProblem problem = load_problem(options.problem);
  return row_labels(problem, slot_orders(problem, options, runs));
}

void trace(const TraceOptions& options, bool config_known) {
  if (options.window.first > options.window.last)
    throw CliError(kExitUsage, "--from " + std::to_string(options.window.first) +
                                   " comes after --to " + std::to_string(options.window.last));
  NamedFiles inputs = {{"the log", options.log}};
  add_config_files(options.device.config, &inputs);
  check_apart(inputs, {{"--perfetto", options.perfetto}, {"--kanata", options.kanata}});
  const hw::Config config = hw::resolve_config(options.device.config, options.device.overrides);
  const std::vector<TraceEvent> events = read_event_log(options.log).events;
  warn_outside(options.window, events);
  const std::vector<RowUpdate> rows = row_updates(options.log, events);
  const RowLabels labels = labels_of(options.device, rows);
  const std::vector<Sources> sources = sources_of(options.log, rows, labels);
  std::vector<files::FileReplacement> files;
  if (!options.perfetto.empty())
    files.emplace_back(options.perfetto,
                       perfetto_trace(events, rows, labels, sources, options.window,
                                      config_known ? config.clock_mhz : 0));
  if (!options.kanata.empty())
    files.emplace_back(options.kanata, kanata_log(options.log, events, rows, labels, sources,
                                                  options.window, config));
  std::cout << summary(events, rows, options.window);
  flush_stdout();
  for (files::FileReplacement& file : files) file.commit();
}

}  // namespace

void add_trace(CLI::App& app, int& /*exit_code*/) {
  auto options = std::make_shared<TraceOptions>();
  Command command = add_command(
      app, "trace", "Turn an event log into a timeline (Perfetto) or pipeline view (Konata)");
  command.add_option("log", options->log, "Event log of a device").required();
  command.add_option("--perfetto", options->perfetto, "Write a timeline for ui.perfetto.dev")
      .is_path("OUT.json");
  command.add_option("--kanata", options->kanata, "Write a pipeline view for Konata")
      .is_path("OUT.kanata");
  command.add_option("--from", options->window.first, "First cycle to show");
  command.add_option("--to", options->window.last, "Last cycle to show");
  command.add_option("--problem", options->device.problem,
                     "What was solved: rows have their names, waits and dependencies");
  add_order_option(command, options->device);
  add_config_options(command, options->device);
  Option config = command.get_option("--config");
  config.description(
      "Configuration of the device: its clock for --perfetto (else a cycle is shown as a "
      "microsecond), its pipe for --kanata");
  add_examples(command,
               {"ppu trace run.log", "ppu trace run.log --perfetto run.json --from 0 --to 5000"});
  command.callback([options, config] {
    trace(*options, config.count() > 0 || !options->device.overrides.empty());
  });
}

}  // namespace ppu::sim
