// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu study programs`: every program on every problem, measured, and compared between back ends.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/base/cli_error.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/corpus.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/problem/problem.hpp"
#include "sim/studies/studies.hpp"
#include "sim/study/program_settings.hpp"
#include "sim/study/programs_table.hpp"

namespace ppu::sim {
namespace {

/// The short form leaves out problems with more rows.
constexpr std::size_t kRowsOfShortForm = 600;

struct ProgramsOptions {
  Options solve;
  Corpus corpus;
  FairSettings settings;
  std::vector<std::string> programs;  ///< Empty: all shipped ones.
  std::vector<std::string> backends = {"systemc", "functional", "cosim", "rtl"};
  bool quick = false;
  std::string table;  ///< Empty: none.
};

std::string comma_list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
  return text;
}

std::string this_command(const ProgramsOptions& options) {
  const ProgramsOptions standard;
  std::string line = "ppu study programs";
  const auto add = [&line](const std::string& name, const std::string& value,
                           const std::string& of_standard) {
    if (value != of_standard) line += " " + name + " " + shell_word(value);
  };
  if (options.quick) line += " --quick";
  if (!options.corpus.problems.empty()) line += " --problems";
  for (const std::string& file : options.corpus.problems) line += " " + shell_word(file);
  add("--data", options.corpus.folder, standard.corpus.folder);
  add("--programs", comma_list(options.programs), "");
  add("--backends", comma_list(options.backends), comma_list(standard.backends));
  add("--sweeps", std::to_string(options.settings.sweeps),
      std::to_string(standard.settings.sweeps));
  add("--threshold", std::to_string(options.settings.threshold),
      std::to_string(standard.settings.threshold));
  add("--most-sweeps", std::to_string(options.settings.most_sweeps),
      std::to_string(standard.settings.most_sweeps));
  add("--config", options.solve.config, standard.solve.config);
  for (const std::string& text : options.solve.overrides) line += " --set " + shell_word(text);
  return line + (options.table.empty() ? "" : " --table " + shell_word(options.table));
}

void check_backends(const std::vector<std::string>& backends) {
  for (const std::string& name : backends) {
    const std::vector<std::string>& known = backend_names();
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw CliError(kExitUsage,
                     "--backends: unknown '" + name + "', expected some of " + joined(known));
  }
}

ProgramsTable measure(const ProgramsOptions& options) {
  ProgramsTable table{options.backends, this_command(options), {}};
  std::vector<std::pair<std::string, model::RowProblem>> problems;
  for (const std::string& file : problems_of(options.corpus)) {
    model::RowProblem problem = load_problem(file);
    if (options.quick && problem.rows() > kRowsOfShortForm) continue;
    problems.emplace_back(file, std::move(problem));
  }
  for (const std::string& program : named_programs(options.programs)) {
    for (const auto& [file, problem] : problems) {
      Options mine = fair_options(program, options.settings, options.solve);
      mine.problem = file;
      table.results.push_back(measure_program(problem, mine, options.backends));
    }
  }
  return table;
}

ExitCode programs(const ProgramsOptions& options) {
  check_backends(options.backends);
  if (!options.table.empty()) files::check_replaceable(options.table);
  check_outputs(options.solve);
  const ProgramsTable table = measure(options);
  std::vector<files::FileReplacement> files;
  if (!options.table.empty()) files.emplace_back(options.table, table.markdown());
  publish(table.json(), table.text(), options.solve, std::move(files));
  return table.equal() ? kExitOk : kExitMismatch;
}

void add_settings(Command command, FairSettings& settings) {
  command.add_option("--sweeps", settings.sweeps, "Sweeps of programs with a fixed number")
      .capture_default_str()
      .check(in_range(1U, 1000000U));
  command
      .add_option("--threshold", settings.threshold,
                  "Residual in m/s or rad/s of programs that end at one")
      .capture_default_str()
      .check(threshold_check());
  command.add_option("--most-sweeps", settings.most_sweeps, "... and where they give up")
      .capture_default_str()
      .check(in_range(1U, 1000000U));
}

}  // namespace

void add_programs(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ProgramsOptions>();
  Command command =
      add_command(app, "programs", "Every program on every problem, on all back ends");
  add_corpus_options(command, options->corpus);
  add_programs_option(command, options->programs,
                      "Firmware to measure, separated by commas; without it, all shipped");
  command
      .add_option("--backends", options->backends,
                  "Back ends to compare, separated by commas; the first one is measured")
      .delimiter(',')
      .allow_extra_args(false)
      .capture_default_str();
  command.add_flag("--quick", options->quick, "The short form: small problems only");
  add_settings(command, options->settings);
  add_config_options(command, options->solve);
  command.add_option("--table", options->table, "Write the tables as a page").is_path("OUT.md");
  add_json_option(command, options->solve);
  add_examples(command, {"ppu study programs --quick",
                         "ppu study programs --programs boxed,filter --table programs.md"});
  command.callback([options, &exit_code] { exit_code = programs(*options); });
}

}  // namespace ppu::sim
