// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu trace LOG`: what an event log holds, as a timeline for Perfetto and as a pipeline view for
// Konata.
#include <array>
#include <iostream>
#include <memory>

#include "cli_error.hpp"
#include "commands.hpp"
#include "kanata.hpp"
#include "options.hpp"
#include "perfetto.hpp"
#include "ppu/hw/config.hpp"
#include "ppu/hw/trace_log.hpp"
#include "ppu/model/file_replacement.hpp"
#include "publish.hpp"
#include "text.hpp"

namespace ppu::sim {
namespace {

struct TraceOptions {
  std::string log;
  std::string perfetto;
  std::string kanata;
  Window window;
  Options device;  ///< --config and --set only.
};

std::string summary(const std::vector<TraceEvent>& events, const std::vector<RowUpdate>& rows) {
  std::array<std::uint64_t, kTraceKinds> counts{};
  for (const TraceEvent& event : events) ++counts[static_cast<std::size_t>(event.kind)];
  Table table({"event", "count"});
  for (std::size_t kind = 0; kind < kTraceKinds; ++kind)
    table.add({std::string(hw::name_of(static_cast<TraceKind>(kind))), grouped(counts[kind])});
  return "cycles " + grouped(events.front().cycle) + " to " + grouped(events.back().cycle) + ", " +
         grouped(events.size()) + " events, " + grouped(rows.size()) + " row updates\n" +
         table.str();
}

void trace(const TraceOptions& options, bool config_known) {
  if (options.window.first > options.window.last)
    throw CliError(kExitUsage, "--from " + std::to_string(options.window.first) +
                                   " comes after --to " + std::to_string(options.window.last));
  const hw::Config config = hw::resolve_config(options.device.config, options.device.overrides);
  const std::vector<TraceEvent> events = read_event_log(options.log);
  const std::vector<RowUpdate> rows = row_updates(options.log, events);
  std::vector<model::FileReplacement> files;
  if (!options.perfetto.empty())
    files.emplace_back(options.perfetto, perfetto_trace(events, rows, options.window,
                                                        config_known ? config.clock_mhz : 0));
  if (!options.kanata.empty())
    files.emplace_back(options.kanata,
                       kanata_log(options.log, events, rows, options.window, config));
  std::cout << summary(events, rows);
  flush_stdout();
  for (model::FileReplacement& file : files) file.commit();
}

}  // namespace

void add_trace(CLI::App& app, int& /*exit_code*/) {
  auto options = std::make_shared<TraceOptions>();
  CLI::App* command = app.add_subcommand(
      "trace", "Turn an event log into a timeline (Perfetto) and a pipeline view (Konata)");
  command->add_option("log", options->log, "Event log of a device")->required();
  command->add_option("--perfetto", options->perfetto, "Write a timeline for ui.perfetto.dev")
      ->type_name("OUT.json");
  command->add_option("--kanata", options->kanata, "Write a pipeline view for Konata")
      ->type_name("OUT.kanata");
  command->add_option("--from", options->window.first, "First cycle to show");
  command->add_option("--to", options->window.last, "Last cycle to show");
  add_config_options(*command, options->device);
  CLI::Option* config = command->get_option("--config");
  config->description(
      "Configuration of the device: its clock for --perfetto (without it, a cycle is shown as a "
      "microsecond), its pipe for --kanata");
  check_apart({{"the log", options.log}, config_file(options.device.config)},
              {{"--perfetto", options.perfetto}, {"--kanata", options.kanata}});
  command->callback([options, config] {
    trace(*options, config->count() > 0 || !options->device.overrides.empty());
  });
}

}  // namespace ppu::sim
