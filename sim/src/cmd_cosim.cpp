// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu cosim [PROBLEM]`: the SystemC device with the RTL row pipe in lockstep, checked against
// Eigen.
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <regex>

#include "commands.hpp"
#include "ppu/ppu.hpp"
#include "problem.hpp"
#include "reference_check.hpp"
#include "report_json.hpp"
#include "report_text.hpp"
#include "text.hpp"

namespace ppu::sim {
namespace {

/// Row-pipe cycles dumped before and after a difference.
constexpr std::uint64_t kWaveMargin = 100;

/// The command that repeats a run with waves around the cycle that the driver's message names.
std::string replay_command(const Options& options, const std::string& message) {
  std::string command = command_line("cosim", options) + " --wave mismatch.fst";
  std::smatch match;
  if (std::regex_search(message, match, std::regex("cycle ([0-9]+)"))) {
    const std::uint64_t cycle = std::stoull(match[1]);
    command += " --wave-window " + std::to_string(cycle - std::min(cycle, kWaveMargin)) + ":" +
               std::to_string(cycle + kWaveMargin);
  }
  return command;
}

Run run_lockstep(const model::RowProblem& problem, const Options& options) {
  try {
    return run_solve(problem, options);
  } catch (const Error& error) {
    if (error.result != PPU_ERROR_MISMATCH) throw;
    throw Error(error.result, std::string(error.what()) + "\nreplay it with waves: " +
                                  replay_command(options, error.what()));
  }
}

int cosim(const Options& options) {
  const model::RowProblem problem = load_problem(options.problem);
  const Run run = run_lockstep(problem, options);
  const ReferenceCheck reference = check_reference(problem, options, run);
  nlohmann::ordered_json json = to_json(problem, options, run);
  json["differences"] = 0;
  json["error"] = reference.error;
  json["error_bound"] = reference.bound;
  write_json(json, options);
  if (!options.json_on_stdout()) {
    std::cout << summary(problem, options, run) << "\n"
              << grouped(run.counter(PPU_COUNTER_LOCKSTEP_ROWS))
              << " rows of the RTL row pipe compared bit for bit over "
              << grouped(run.counter(PPU_COUNTER_CYCLES)) << " cycles: 0 differences\n"
              << "Eigen in double precision: error " << scientific(reference.error)
              << " of max|x|, bound " << scientific(reference.bound)
              << (reference.holds() ? ": holds\n" : ": BROKEN\n");
  }
  return reference.holds() ? kExitOk : kExitMismatch;
}

}  // namespace

void add_cosim(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  options->backend = "cosim";
  CLI::App* command = app.add_subcommand(
      "cosim", "Run the model and the RTL row pipe in lockstep, checked against Eigen");
  add_problem_option(*command, *options, false);
  add_run_options(*command, *options);
  add_wave_options(*command, *options);
  add_json_option(*command, *options);
  command->callback([options, &exit_code] { exit_code = cosim(*options); });
}

}  // namespace ppu::sim
