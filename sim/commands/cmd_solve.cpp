// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu solve PROBLEM`: solve one row problem and say how it went.
#include <memory>
#include <nlohmann/json.hpp>

#include "model/files/row_problem_file.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/commands/commands.hpp"
#include "sim/debug/wave_row.hpp"
#include "sim/method/method_report.hpp"
#include "sim/problem/problem.hpp"
#include "sim/report/report_json.hpp"
#include "sim/report/report_text.hpp"

namespace ppu::sim {
namespace {

/// The problem with its solution for --output, or none.
std::vector<files::FileReplacement> output_file(model::RowProblem problem,
                                                const model::Solution& solution,
                                                const Options& options) {
  std::vector<files::FileReplacement> files;
  if (!options.output.empty()) {
    problem.solution = solution;
    const std::vector<char> image = model::row_problem_image(problem, options.output);
    files.emplace_back(options.output, std::string_view(image.data(), image.size()));
  }
  return files;
}

void solve(Options options) {
  const model::RowProblem problem = load_problem(options.problem);
  check_outputs(options);
  const std::string window = choose_wave_window(problem, &options);
  const SolveResult result = solve_once(problem, options);
  publish(to_json(problem, options, result), summary(problem, options, result) + window, options,
          output_file(problem, result.solution, options));
}

/// Throws CliError (usage) for options that the method has no use for.
void check_method(Command command, const MethodOptions& method) {
  if (method.method == kSweepsMethod && method.frozen)
    throw CliError(kExitUsage,
                   "--frozen: method pgs takes friction as its firmware does, expected "
                   "--method with one of pgs-sm, interior-point, crossover, explicit");
  std::vector<std::string> useless;
  if (method.method == kMendedMethod) {
    useless = {"--budget-us",  "--sweeps-of",   "--trace",   "--wave",
               "--wave-scope", "--wave-window", "--wave-row"};
  } else if (method.method != kSweepsMethod) {
    for (const char* of_firmware : {"--program", "--mark-threshold", "--budget-us", "--relaxation",
                                    "--friction", "--sweeps-of"})
      useless.emplace_back(of_firmware);
    if (!is_explicit(method.method)) useless.insert(useless.end(), {"--sweeps", "--threshold"});
    if (method.method == "crossover") useless.emplace_back("--start");
    if (method.method != "pgs-sm" && method.method != "crossover")
      for (const char* of_device :
           {"--backend", "--config", "--set", "--timeout", "--order", "--stream", "--early",
            "--start", "--trace", "--wave", "--wave-scope", "--wave-window", "--wave-row"})
        useless.emplace_back(of_device);
  }
  for (const std::string& option : useless)
    if (command.get_option(option).count() > 0)
      throw CliError(kExitUsage, option + " means nothing to method " + method.method);
}

/// Returns the exit status.
int solve_by(const MethodOptions& method, Options options) {
  options.schema += "-method";
  const model::RowProblem problem = load_problem(options.problem);
  check_outputs(options);
  const MethodResult result = solve_by_method(problem, options, method);
  publish(to_json(problem, options, method, result), summary(problem, options, method, result),
          options, output_file(problem, result.solution, options));
  return result.reached ? kExitOk : kExitMismatch;
}

void add_method_options(Command command, MethodOptions& method) {
  command
      .add_option("--method", method.method,
                  "pgs: firmware; or mended, pgs-sm, interior-point, crossover, explicit")
      .type_name("WORD")
      .capture_default_str()
      .check({[](std::string& text) { return complaint_unless_one_of(method_names(), text); }, ""});
  command.add_flag("--frozen", method.frozen,
                   "Not pgs: bounds of friction as in the file's answer");
}

}  // namespace

void add_solve(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  auto method = std::make_shared<MethodOptions>();
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
  add_method_options(command, *method);
  add_examples(command,
               {"ppu solve wall10 --sweeps 20",
                "ppu solve tests/data/ball_f110.h5 --program threshold --threshold 0.01 --json -"});
  command.callback([options, method, command, &exit_code] {
    check_method(command, *method);
    if (command.get_option("--sweeps").count() > 0) method->sweeps = options->sweeps;
    if (options->threshold) method->threshold = options->threshold;
    if (method->method == kMendedMethod && command.get_option("--program").count() == 0)
      options->program = "nesterov";
    if (method->method == kSweepsMethod) {
      solve(*options);
    } else {
      exit_code = solve_by(*method, *options);
    }
  });
}

}  // namespace ppu::sim
