// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu blocks [FILE...]`: what the rows of a contact as one operation would bring.
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/base/cli_error.hpp"
#include "sim/base/files.hpp"
#include "sim/cli/publish.hpp"
#include "sim/commands/commands.hpp"
#include "sim/problem/problem.hpp"
#include "sim/study/block_report.hpp"

namespace ppu::sim {
namespace {

const std::string kBegin = "<!-- ppu blocks: begin -->\n";
const std::string kEnd = "<!-- ppu blocks: end -->\n";

struct BlocksOptions {
  Options solve;
  std::vector<std::string> problems;  ///< Empty: block_problems().
  std::string table;                  ///< Empty: none.
};

/// A page in two parts, between which the tables stand.
struct Page {
  std::string before;
  std::string after;
};

/// Throws CliError (usage) for a page without the two lines.
Page read_page(const std::string& path) {
  const std::string text = read_file(path);
  const std::size_t begin = text.find(kBegin);
  const std::size_t end = text.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin)
    throw CliError(kExitUsage, path + ": no place for the tables, expected the lines " +
                                   kBegin.substr(0, kBegin.size() - 1) + " and " +
                                   kEnd.substr(0, kEnd.size() - 1));
  return {text.substr(0, begin + kBegin.size()), text.substr(end)};
}

ExitCode blocks(const BlocksOptions& options) {
  NamedFiles inputs;
  for (const std::string& file : options.problems) inputs.push_back({"the problem", file});
  check_outputs(options.solve, inputs, {{"--table", options.table}});
  Page page;
  if (!options.table.empty()) page = read_page(options.table);
  std::vector<model::RowProblem> problems;
  for (const std::string& file : options.problems) problems.push_back(load_problem(file));
  if (problems.empty()) problems = block_problems();

  BlockReport report;
  report.config = options.solve.config;
  report.shorter = shorter_multipliers(options.solve);
  report.latencies = measure_block_latencies(options.solve);
  for (const model::RowProblem& problem : problems)
    report.studies.push_back(study_blocks(problem, options.solve));

  std::vector<model::FileReplacement> files;
  if (!options.table.empty())
    files.emplace_back(options.table, page.before + "\n" + report.markdown() + "\n" + page.after);
  publish(report.json(), report.text(), options.solve, std::move(files));
  return report.as_expected() ? kExitOk : kExitMismatch;
}

}  // namespace

void add_blocks(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<BlocksOptions>();
  CLI::App* command = app.add_subcommand(
      "blocks", "What the rows of a contact as one operation would bring: a study");
  command->add_option("problems", options->problems,
                      std::string("Row problems, also '") + kEmbeddedProblem + "' and '" +
                          kStanceProblem + "'; without any, walls, ragdolls and the stance");
  add_config_options(*command, options->solve);
  command
      ->add_option("--table", options->table,
                   "Write the tables into a page, between its two lines 'ppu blocks: begin' and "
                   "'ppu blocks: end'")
      ->type_name("PAGE.md");
  add_json_option(*command, options->solve);
  command->callback([options, &exit_code] { exit_code = blocks(*options); });
}

}  // namespace ppu::sim
