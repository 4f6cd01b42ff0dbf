// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu fuzz`: random programs on random rows, on every back end, compared to the last bit.
#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/base/cli_error.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/commands/commands.hpp"
#include "sim/fuzz/fuzz_file.hpp"
#include "sim/fuzz/fuzz_search.hpp"

namespace ppu::sim {
namespace {

constexpr std::size_t kMostLines = 8;
constexpr std::int64_t kMostCases = 1'000'000'000'000;

std::string difference_text(const FuzzOptions& options, const FuzzFinding& finding) {
  std::string text = "\nDIFFERENCE: seed " + std::to_string(finding.fuzz.seed) + " on " +
                     finding.config + (finding.shrunk ? ", made smaller" : "") + "\n";
  for (std::size_t i = 0; i < std::min(kMostLines, finding.lines.size()); ++i)
    text += "  " + finding.lines[i] + "\n";
  if (finding.lines.size() > kMostLines)
    text += "  ... and " + grouped(finding.lines.size() - kMostLines) + " more\n";
  if (!finding.alone) text += "it differs only after what ran before it\n";
  text += "repeat it: " + finding.command + "\n";
  if (options.save.empty()) return text;
  const std::string file = options.save + "/" + kCaseFile;
  text += "saved: " + options.save + "/" + kProgramFile + " and " + file + ", " +
          grouped(finding.fuzz.set.rows.size()) + " rows";
  if (finding.alone)
    text += "; run it: " + fuzz_command(options, finding.config, "--replay " + shell_word(file));
  return text + "\n";
}

std::string summary(const FuzzOptions& options, const FuzzSearch& fuzz) {
  const FuzzCoverage& coverage = fuzz.coverage;
  std::string text =
      "back ends " + joined(fuzz.backends) + "; configurations " + joined(fuzz.configs) +
      "; seed " + (options.replay.empty() ? std::to_string(options.seed) : options.replay) + "\n" +
      grouped(coverage.programs()) + " programs, " + grouped(coverage.kernels()) + " kernels, " +
      grouped(coverage.rows()) + " rows (cases)";
  if (fuzz.lockstep_rows > 0)
    text += ", " + grouped(fuzz.lockstep_rows) + " rows compared in the RTL row pipe";
  text += "; " + fixed(fuzz.seconds, 1) + " s, " +
          grouped(static_cast<std::uint64_t>(static_cast<double>(coverage.rows()) /
                                             std::max(fuzz.seconds, 1e-3))) +
          " cases/s\n";
  if (options.replay.empty() && !fuzz.finding) text += "\n" + coverage.text();
  return text + (fuzz.finding ? difference_text(options, *fuzz.finding) : "0 differences\n");
}

nlohmann::ordered_json to_json(const FuzzOptions& options, const FuzzSearch& fuzz) {
  nlohmann::ordered_json json;
  json["backends"] = fuzz.backends;
  json["configs"] = fuzz.configs;
  json["seed"] = options.seed;
  json.update(fuzz.coverage.json());
  json["lockstep_rows"] = fuzz.lockstep_rows;
  json["seconds"] = fuzz.seconds;
  json["equal"] = !fuzz.finding;
  if (fuzz.finding)
    json["difference"] = {{"seed", fuzz.finding->fuzz.seed},
                          {"config", fuzz.finding->config},
                          {"lines", fuzz.finding->lines},
                          {"command", fuzz.finding->command},
                          {"rows", fuzz.finding->fuzz.set.rows.size()},
                          {"program", fuzz.finding->fuzz.source()}};
  return json;
}

ExitCode run_fuzz(const FuzzOptions& options) {
  check_outputs(options.output);
  const std::filesystem::path folder = options.save;
  if (std::filesystem::exists(folder) && !std::filesystem::is_directory(folder))
    throw CliError(kExitUsage, "--save: " + options.save + " is a file, expected a folder");
  const FuzzSearch fuzz = search(options);
  if (fuzz.finding && !options.save.empty()) save_case(fuzz.finding->fuzz, options.save);
  publish(to_json(options, fuzz), summary(options, fuzz), options.output);
  return fuzz.finding ? kExitMismatch : kExitOk;
}

}  // namespace

void add_fuzz(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<FuzzOptions>();
  Command command =
      add_command(app, "fuzz", "Run random programs on every back end, and compare everything");
  command
      .add_option("--cases", options->cases,
                  "Rows that kernels update, all configurations together, at least")
      .capture_default_str()
      .check(in_range(std::int64_t{1}, kMostCases));
  command
      .add_option("--programs", options->programs,
                  "Programs on each configuration, instead of --cases")
      .check(in_range(std::int64_t{1}, kMostCases));
  command
      .add_option(
          "--seed", options->seed,
          "Of the first program; the next one has the next, each configuration a million more")
      .capture_default_str()
      .check(in_range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()));
  command
      .add_option("--type", options->type,
                  "program: any control flow over a few rows; row-pipe: many kernels over many "
                  "rows of any bits")
      .capture_default_str()
      .check(member_of({"both", "program", "row-pipe"}));
  command
      .add_option("--config", options->configs,
                  "Configurations, with commas between them. Without it: the named ones")
      .type_name("CONFIG,...");
  command.add_option("--set", options->overrides, "Override one configuration key; may be repeated")
      .type_name("KEY=VALUE")
      .allow_extra_args(false);
  command
      .add_option("--backends", options->backends,
                  "Back ends to compare, with commas between them. Without it: all")
      .type_name("NAME,...");
  command
      .add_option("--replay", options->replay,
                  "Run one case only: that of a seed, or one that was saved")
      .type_name("SEED|CASE.json");
  command
      .add_option("--save", options->save,
                  "Make a case that differs as small as it can be, and write it there")
      .is_path("DIR");
  add_json_option(command, options->output);
  add_examples(command,
               {"ppu fuzz --programs 10 --seed 7", "ppu fuzz --replay 7 --config default"});
  command.callback([options, &exit_code] { exit_code = run_fuzz(*options); });
}

}  // namespace ppu::sim
