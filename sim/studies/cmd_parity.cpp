// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu study parity`: the same jobs on the SystemC model and on the RTL, compared to the last
// counter.
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/files/file_replacement.hpp"
#include "ppu_spec.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/base/progress.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/outcome/comparison.hpp"
#include "sim/parity/parity_table.hpp"
#include "sim/solve/options.hpp"
#include "sim/studies/studies.hpp"

namespace ppu::sim {
namespace {

struct ParityOptions {
  bool list = false;
  bool quick = false;
  std::vector<std::string> workloads;  ///< Empty: all.
  std::vector<std::string> configs;    ///< Empty: the named ones.
  std::vector<std::string> backends = {"systemc", "rtl"};
  std::string scenes;  ///< Folder; empty: those in the command.
  std::string table;   ///< Empty: none.
  std::string trace;   ///< Empty: none.
  Options output;      ///< --json only.
};

std::string list_text() {
  Table table({"workload", "short form", "what"});
  for (const Workload& workload : workloads())
    table.add({workload.name, workload.quick ? "yes" : "", workload.what});
  return table.str();
}

std::vector<const Workload*> chosen_workloads(const ParityOptions& options) {
  std::vector<std::string> names;
  for (const Workload& workload : workloads()) names.push_back(workload.name);
  for (const std::string& name : options.workloads)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw CliError(kExitUsage,
                     "unknown workload '" + name + "', expected one of " + joined(names));
  std::vector<const Workload*> chosen;
  for (const Workload& workload : workloads()) {
    const bool named = std::find(options.workloads.begin(), options.workloads.end(),
                                 workload.name) != options.workloads.end();
    if (named || (options.workloads.empty() && (workload.quick || !options.quick)))
      chosen.push_back(&workload);
  }
  return chosen;
}

std::vector<std::string> chosen_configs(const ParityOptions& options) {
  if (!options.configs.empty()) return options.configs;
  if (options.quick) return {"default", "small"};
  std::vector<std::string> names;
  for (const spec::NamedConfig& config : spec::kNamedConfigs) names.emplace_back(config.name);
  return names;
}

std::string log_path(const ParityOptions& options, const std::string& backend) {
  return options.trace + "-" + backend + ".log";
}

Outcome measure(const ParityOptions& options, const Workload& workload, const std::string& config,
                const std::string& backend, Scenes& scenes) {
  const std::string full_config = config + workload.parts;
  const std::string log = log_path(options, backend);
  std::vector<const char*> overrides;
  for (const std::string& text : workload.overrides) overrides.push_back(text.c_str());
  ppu_device_def def = ppu_default_device_def();
  def.backend = backend.c_str();
  def.config = full_config.c_str();
  def.overrides = overrides.data();
  def.override_count = overrides.size();
  if (!options.trace.empty()) def.trace_path = log.c_str();
  const Progress progress("parity: " + workload.name + " on " + backend + ", " + config);
  Device device(def);
  Outcome outcome = workload.run({device, scenes});
  device.close();
  return outcome;
}

ParityResult compare(const ParityOptions& options, const Workload& workload,
                     const std::string& config, Scenes& scenes) {
  ParityResult result{workload.name, config, {}, {}};
  std::array<Outcome, 2>& measured = result.measured;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    try {
      measured[i] = measure(options, workload, config, options.backends[i], scenes);
    } catch (const Error& error) {
      if (error.result == PPU_ERROR_NOT_FOUND || error.result == PPU_ERROR_CONFIG) throw;
      result.differences.push_back(options.backends[i] + " failed: " + error.what());
    }
  }
  if (!result.differences.empty()) return result;
  result.differences =
      differences(options.backends[0], measured[0], options.backends[1], measured[1]);
  return result;
}

std::string this_command(const ParityOptions& options) {
  std::string line = "ppu study parity";
  if (options.quick) line += " --quick";
  for (const std::string& name : options.workloads) line += " --workload " + shell_word(name);
  for (const std::string& name : options.configs) line += " --config " + shell_word(name);
  if (options.backends != ParityOptions().backends)
    for (const std::string& name : options.backends) line += " --backend " + shell_word(name);
  return line + (options.table.empty() ? "" : " --table " + shell_word(options.table));
}

/// What differs, and how to find out where it begins.
std::string advice(const ParityOptions& options, const ParityTable& table) {
  constexpr std::size_t kMost = 8;
  std::string text;
  for (const ParityResult& result : table.results) {
    if (result.differences.empty()) continue;
    text += "\n" + result.workload + " on " + result.config + ":\n";
    for (std::size_t i = 0; i < std::min(kMost, result.differences.size()); ++i)
      text += "  " + result.differences[i] + "\n";
    if (result.differences.size() > kMost)
      text += "  ... and " + grouped(result.differences.size() - kMost) + " more\n";
    ParityOptions again;
    again.workloads = {result.workload};
    again.configs = {result.config};
    again.backends = options.backends;
    text += "find where it begins:\n  " + this_command(again) + " --trace parity\n  ppu diff-trace";
    for (const std::string& backend : options.backends) text += " parity-" + backend + ".log";
    text += "\n";
  }
  return text;
}

ExitCode parity(const ParityOptions& options) {
  if (options.list) {
    std::cout << list_text();
    return kExitOk;
  }
  const std::vector<const Workload*> chosen = chosen_workloads(options);
  const std::vector<std::string> configs = chosen_configs(options);
  if (!options.trace.empty() && chosen.size() * configs.size() != 1)
    throw CliError(kExitUsage, "--trace needs one --workload and one --config, got " +
                                   grouped(chosen.size()) + " and " + grouped(configs.size()));
  NamedFiles files_in;
  for (const std::string& config : configs) add_config_files(config, &files_in);
  NamedFiles files_out = {{"--table", options.table}};
  for (const std::string& backend : options.backends)
    if (!options.trace.empty()) files_out.push_back({"--trace", log_path(options, backend)});
  check_outputs(options.output, files_in, files_out);
  ParityTable table{{options.backends[0], options.backends[1]}, this_command(options), {}};
  Scenes scenes(options.scenes);
  for (const Workload* workload : chosen)
    for (const std::string& config : configs)
      table.results.push_back(compare(options, *workload, config, scenes));
  std::vector<files::FileReplacement> files;
  if (!options.table.empty()) files.emplace_back(options.table, table.markdown());
  publish(table.json(), table.text() + advice(options, table), options.output, std::move(files));
  return table.equal() ? kExitOk : kExitMismatch;
}

}  // namespace

void add_parity(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ParityOptions>();
  Command command =
      add_command(app, "parity", "The same jobs on the SystemC model and on the RTL, compared");
  command.add_flag("--list", options->list, "List the workloads");
  command.add_flag("--quick", options->quick,
                   "The short form: a few workloads, two configurations");
  command.add_option("--workload", options->workloads, "One workload; may be repeated")
      .allow_extra_args(false);
  command
      .add_option("--config", options->configs,
                  "One configuration; may be repeated. Without it: the named ones")
      .allow_extra_args(false);
  command.add_option("--backend", options->backends, "Back end to compare; to be given twice")
      .allow_extra_args(false)
      .delimiter(',')
      .default_str("systemc,rtl");
  command
      .add_option("--data", options->scenes,
                  "Folder with the scenes; without it, those inside this command")
      .is_path("DIR");
  command.add_option("--table", options->table, "Write the table as a page").is_path("OUT.md");
  command
      .add_option("--trace", options->trace,
                  "Write the event logs PREFIX-BACKEND.log; with one workload on one configuration")
      .type_name("PREFIX");
  add_json_option(command, options->output);
  add_examples(command, {"ppu study parity --quick",
                         "ppu study parity --workload ball --config default --trace parity"});
  command.callback([options, &exit_code] {
    if (options->backends.size() != 2)
      throw CliError(kExitUsage,
                     "--backend: got " + joined(options->backends) + ", expected two back ends");
    exit_code = parity(*options);
  });
}

}  // namespace ppu::sim
