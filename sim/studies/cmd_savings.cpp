// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu study savings`: row updates and time that programs save against a plain one at equal
// residual.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "hw/contract/config.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/corpus.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/problem/frozen.hpp"
#include "sim/problem/problem.hpp"
#include "sim/studies/studies.hpp"
#include "sim/study/program_settings.hpp"
#include "sim/study/savings.hpp"

namespace ppu::sim {
namespace {

struct SavingsOptions : ResidualStudy {
  Corpus corpus;
};

/// The plain one first.
std::vector<std::string> programs_of(const SavingsOptions& options) {
  std::vector<std::string> programs = residual_programs(options.programs, options.solve);
  if (options.programs.empty()) {
    const auto plain = std::find(programs.begin(), programs.end(), kPlainProgram);
    std::rotate(programs.begin(), plain, plain + 1);
  }
  return programs;
}

std::string title_of(const SavingsOptions& options, const std::vector<std::string>& programs,
                     const hw::Config& config) {
  const Options& solve = options.solve;
  return "To a residual of " + fixed(double{*solve.threshold}, 4) + " m/s or rad/s, at most " +
         grouped(solve.sweeps) + " sweeps; friction " +
         (options.frozen ? "frozen" : "coupled (" + solve.friction + ")") + ", " + solve.start +
         " start, config " + solve.config + " at " + std::to_string(config.clock_mhz) +
         " MHz; saved: against " + programs.front();
}

void savings(const SavingsOptions& options) {
  check_outputs(options.solve);
  const hw::Config config = hw::resolve_config(options.solve.config, options.solve.overrides);
  SavingsReport report;
  const std::vector<std::string> programs = programs_of(options);
  report.title = title_of(options, programs, config);
  report.threshold = double{*options.solve.threshold};
  report.frozen = options.frozen;
  report.clock_mhz = config.clock_mhz;
  for (const std::string& file : problems_of(options.corpus)) {
    Options mine = options.solve;
    mine.problem = file;
    model::RowProblem problem = load_problem(file);
    if (options.frozen) problem = frozen(problem, file);
    report.problems.push_back(measure_savings(problem, problem.name, programs, mine));
  }
  publish(report.json(), report.text(), options.solve);
}

}  // namespace

void add_savings(CLI::App& app, int& /*exit_code*/) {
  auto options = std::make_shared<SavingsOptions>();
  options->solve.sweeps = 20000;
  options->solve.threshold = kPatentThreshold;
  Command command =
      add_command(app, "savings", "What programs save against a plain one at equal residual");
  add_corpus_options(command, options->corpus);
  add_residual_study_options(command, *options, "the plain one first, ");
  add_json_option(command, options->solve);
  add_examples(command, {"ppu study savings --problems tests/data/ball_f110.h5",
                         "ppu study savings --programs threshold,filter --threshold 0.02"});
  command.callback([options] { savings(*options); });
}

}  // namespace ppu::sim
