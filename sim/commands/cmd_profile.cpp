// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu profile PROBLEM`, or of a frame of a scene: where the cycles of a solve went, on one
// configuration or on two side by side; with a timeline and the replay of the scene.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/base/cli_error.hpp"
#include "sim/base/files.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/rows_file.hpp"
#include "sim/demo/profiled.hpp"
#include "sim/demo/scene_replay.hpp"
#include "sim/measure/measures.hpp"
#include "sim/replay/glb.hpp"
#include "sim/report/profile_compare.hpp"
#include "sim/report/profile_json.hpp"
#include "sim/report/profile_text.hpp"
#include "sim/report/report_text.hpp"
#include "sim/trace/perfetto.hpp"

namespace ppu::sim {
namespace {

struct ProfileOptions : Profiled {
  std::vector<std::string> compare;  ///< Two configurations or more, or none.
  std::string perfetto;              ///< Empty: none.
  std::string glb;                   ///< Empty: none.
  std::string rows;                  ///< Empty: none.
};

/// Refuses, before the work, what cannot be done.
void check(const ProfileOptions& options) {
  check_profiled(options);
  NamedFiles inputs;
  for (const std::string& config : options.compare)
    add_config_files(with_config({}, config).config, &inputs);
  check_outputs(
      options.solve, inputs,
      {{"--perfetto", options.perfetto}, {"--glb", options.glb}, {"--rows", options.rows}});
  check_rows_file(options.rows);
}

/// The run, and its timeline if `perfetto` asks for one.
SolveResult solve_with_timeline(const model::RowProblem& problem, Options options,
                                const std::string& perfetto,
                                std::vector<files::FileReplacement>* files) {
  if (perfetto.empty()) return solve_once(problem, options);
  std::optional<TemporaryFile> log;
  if (options.trace.empty()) options.unnamed_trace = log.emplace().path();
  SolveResult result = solve_once(problem, options);
  const RowLabels labels = row_labels(problem, slot_orders(problem, options, result.report.runs));
  files->emplace_back(perfetto,
                      perfetto_of_log(options.log_path(), labels, result.device.clock_mhz));
  return result;
}

void profile(ProfileOptions options) {
  check(options);
  const model::RowProblem problem = rows_of(&options);
  const Options& solve = options.solve;
  std::vector<files::FileReplacement> files;
  const SolveResult result = solve_with_timeline(problem, solve, options.perfetto, &files);
  std::string text = summary(problem, solve, result) + "\n" + profile_text(problem, solve, result);
  if (!options.perfetto.empty() || !options.glb.empty() || !options.rows.empty()) text += "\n";
  if (!options.perfetto.empty())
    text += "Timeline, for ui.perfetto.dev: " + options.perfetto + "\n";
  if (!options.glb.empty()) {
    files.emplace_back(options.glb,
                       glb_of(replay_of_paths(options.scene, solve, options.frame + 1)));
    text += "Replay: " + options.glb + "\n";
  }
  if (!options.rows.empty()) {
    files.emplace_back(options.rows, rows_file(options.rows, problem, solve, result));
    text += "Rows: " + options.rows + "\n";
  }
  publish(profile_json(problem, solve, result), text, solve, std::move(files));
}

ExitCode compare(ProfileOptions options) {
  check(options);
  const model::RowProblem problem = rows_of(&options);
  ComparedProfiles runs;
  for (const std::string& config : options.compare) {
    const Options mine = with_config(options.solve, config);
    runs.push_back({config, mine, solve_once(problem, mine)});
  }
  options.solve.schema += "-compare";
  options.solve.takes_config = false;  // Each profile has its own.
  publish(compare_json(problem, runs), compare_text(problem, runs), options.solve);
  for (const ComparedProfile& run : runs) warn_of_clock(run.options);
  return bits_are_right(runs) ? kExitOk : kExitMismatch;
}

}  // namespace

void add_profile(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ProfileOptions>();
  options->solve.row_profile = true;
  Command command = add_command(app, "profile",
                                "Where the cycles of a solve go: by row, body, island and reason");
  Option scene = add_profiled_options(command, *options);
  command
      .add_option("--glb", options->glb,
                  "Write the replay of the scene up to this frame, as binary glTF 2.0")
      .is_path("FILE")
      .needs(scene);
  add_trace_option(command, options->solve);
  command
      .add_option("--perfetto", options->perfetto,
                  "Write the timeline of the run, for ui.perfetto.dev")
      .is_path("FILE");
  command
      .add_option("--rows", options->rows,
                  "Write every row with its cycles and waits; as Parquet by Python's pyarrow")
      .type_name("FILE.csv|.parquet");
  Option compare_option =
      command
          .add_option("--compare", options->compare,
                      "Two configurations or more side by side: default default+pci,pipes=2")
          .type_name("A B ...")
          .expected_at_least(2);
  for (const char* name : {"--config", "--trace", "--perfetto", "--glb", "--rows"})
    compare_option.excludes(command.get_option(name));
  add_json_option(command, options->solve);
  add_examples(command,
               {"ppu profile wall10", "ppu profile wall10 --compare default default,pipes=2"});
  command.callback([options, &exit_code] {
    if (options->compare.empty()) return profile(*options);
    exit_code = compare(*options);
  });
}

}  // namespace ppu::sim
