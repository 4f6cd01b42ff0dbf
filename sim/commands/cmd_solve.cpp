// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu solve PROBLEM`: solve one row problem and say how it went.
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/cli/command.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/commands/commands.hpp"
#include "sim/problem/problem.hpp"
#include "sim/report/report_json.hpp"
#include "sim/report/report_text.hpp"

namespace ppu::sim {
namespace {

void solve(const Options& options) {
  model::RowProblem problem = load_problem(options.problem);
  check_outputs(options);
  const SolveResult result = solve_once(problem, options);
  std::vector<files::FileReplacement> files;
  if (!options.output.empty()) {
    problem.solution = result.solution;
    const std::vector<char> image = model::row_problem_image(problem, options.output);
    files.emplace_back(options.output, std::string_view(image.data(), image.size()));
  }
  publish(to_json(problem, options, result), summary(problem, options, result), options,
          std::move(files));
}

}  // namespace

void add_solve(CLI::App& app, int& /*exit_code*/) {
  auto options = std::make_shared<Options>();
  Command command = add_command(app, "solve", "Solve a row problem");
  add_problem_option(command, *options, true);
  add_backend_option(command, *options);
  add_solve_options(command, *options);
  add_sweeps_of_option(command, *options);
  add_trace_option(command, *options);
  add_wave_options(command, *options);
  command
      .add_option("--output", options->output, "Write the problem with its /solution")

      .is_path("OUT.h5");
  add_json_option(command, *options);
  add_examples(command,
               {"ppu solve wall10 --sweeps 20",
                "ppu solve tests/data/ball_f110.h5 --program threshold --threshold 0.01 --json -"});
  command.callback([options] { solve(*options); });
}

}  // namespace ppu::sim
