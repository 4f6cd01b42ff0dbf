// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu study converge PROBLEM`: the true residual of several programs against device time and row
// updates.
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
#include "sim/report/identity.hpp"
#include "sim/studies/studies.hpp"
#include "sim/study/convergence_report.hpp"
#include "sim/study/program_settings.hpp"

namespace ppu::sim {
namespace {

constexpr std::uint32_t kMostSweeps = 1000000;

struct ConvergeOptions : ResidualStudy {
  std::string svg;
};

std::string title_of(const model::RowProblem& problem, const ConvergeOptions& options,
                     std::uint32_t clock_mhz) {
  return problem.name + ", friction " +
         (options.frozen ? "frozen" : "coupled (" + options.solve.friction + ")") + ": " +
         grouped(problem.rows()) + " rows, " + options.solve.start + " start, config " +
         options.solve.config + " at " + std::to_string(clock_mhz) + " MHz";
}

std::string horizon_of(const Options& options) {
  if (options.budget_us) return "for " + fixed(*options.budget_us * 1e-3, 3) + " ms";
  return "at most " + grouped(options.sweeps) + " sweeps";
}

void converge(const ConvergeOptions& options) {
  check_outputs(options.solve);
  if (!options.svg.empty()) files::check_replaceable(options.svg);
  model::RowProblem problem = load_problem(options.solve.problem);
  if (options.frozen) problem = frozen(problem, options.solve.problem);

  const hw::Config config = hw::resolve_config(options.solve.config, options.solve.overrides);
  ConvergenceReport report;
  report.problem = options.solve.problem;
  report.title = title_of(problem, options, config.clock_mhz);
  report.level = double{*options.solve.threshold};
  report.frozen = options.frozen;
  report.clock_mhz = config.clock_mhz;
  report.horizon = horizon_of(options.solve);
  for (const std::string& program : residual_programs(options.programs, options.solve)) {
    ProgramConvergence result{
        measure_convergence(problem, convergence_options(program, options.solve)), {}};
    result.program = program;
    result.reached = first_at(problem, result, report.level);
    report.programs.push_back(std::move(result));
  }
  std::vector<files::FileReplacement> files;
  if (!options.svg.empty()) files.emplace_back(options.svg, report.svg());
  nlohmann::ordered_json json = report.json();
  json["problem_hash"] = hash_of_problem(problem);
  for (auto& program : json["programs"])
    program["program_hash"] =
        hash_of_program(convergence_options(program["program"], options.solve));
  publish(json, report.text(), options.solve, std::move(files));
}

}  // namespace

void add_converge(CLI::App& app, int& /*exit_code*/) {
  auto options = std::make_shared<ConvergeOptions>();
  options->solve.sweeps = 1000;
  options->solve.threshold = kPatentThreshold;
  Command command = add_command(app, "converge",
                                "Residual of several programs against device time and row updates");
  add_problem_option(command, options->solve, true);
  add_residual_study_options(command, *options, "");
  command
      .add_option("--until-us", options->solve.budget_us,
                  "Microseconds of device time to follow the programs for, whatever the sweeps")
      .check(in_range(0.001, 1e7))
      .excludes(command.get_option("--sweeps"));
  command.add_option("--svg", options->svg, "Write the curves as a picture").is_path("OUT.svg");
  add_json_option(command, options->solve);
  add_examples(command, {"ppu study converge wall10 --programs threshold,nesterov --sweeps 100",
                         "ppu study converge tests/data/ball_f110.h5 --frozen --svg ball.svg"});
  command.callback([options] {
    if (options->solve.budget_us) options->solve.sweeps = kMostSweeps;
    converge(*options);
  });
}

}  // namespace ppu::sim
