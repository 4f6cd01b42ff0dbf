// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu cosim [PROBLEM]`: the SystemC device with the RTL row pipe in lockstep, checked against
// Eigen.
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/commands/commands.hpp"
#include "sim/debug/row_check.hpp"
#include "sim/debug/wave_row.hpp"
#include "sim/problem/problem.hpp"
#include "sim/report/reference_check.hpp"
#include "sim/report/report_json.hpp"
#include "sim/report/report_text.hpp"

namespace ppu::sim {
namespace {

std::string lockstep(const SolveResult& result) {
  return "\n" + grouped(result.lockstep_rows) +
         " rows of the RTL row pipe compared bit for bit over " +
         grouped(result.counter(PPU_COUNTER_CYCLES)) + " cycles: 0 differences\n";
}

std::string comparison(const ReferenceCheck& reference) {
  return "Eigen in double precision: error " + scientific(reference.error) + " of max|x|, bound " +
         scientific(reference.bound) + (reference.holds() ? ": holds\n" : ": BROKEN\n");
}

/// Every row update beside its double: for any kernel.
std::string comparison(const RowCheck& rows) {
  if (!rows.missing.empty())
    return "row by row in double precision: not compared; " + rows.missing + "\n";
  return "row by row in double precision: " + grouped(rows.updates) +
         " row updates, the worst at " + fixed(rows.share, 2) + " of what rounding allows" +
         (rows.worst.empty() ? "" : " (" + rows.worst + ")") +
         (rows.holds() ? ": holds\n" : ": BROKEN\n");
}

nlohmann::ordered_json to_json(const RowCheck& rows) {
  const bool compared = rows.missing.empty();
  return {{"updates", rows.updates},
          {"share_of_bound", compared ? nlohmann::ordered_json(rows.share) : nullptr},
          {"worst", rows.worst}};
}

int cosim(Options options, bool requires_reference) {
  const model::RowProblem problem = load_problem(options.problem);
  check_outputs(options);
  const std::string window = choose_wave_window(problem, &options);
  const SolveResult result = solve_once(problem, options);
  nlohmann::ordered_json json = to_json(problem, options, result);
  json["differences"] = 0;
  std::string text = summary(problem, options, result) + window + lockstep(result);
  int exit_code = kExitOk;
  if (const std::string reason = missing_reference(options, result); !reason.empty()) {
    json["error"] = json["error_bound"] = nullptr;
    text += "Eigen in double precision: not compared; " + reason + "\n";
  } else {
    const ReferenceCheck reference = check_reference(problem, options, result);
    json["error"] = reference.error;
    json["error_bound"] = reference.bound;
    text += comparison(reference);
    if (!reference.holds()) exit_code = kExitMismatch;
  }
  const RowCheck rows = check_rows(problem, options, result);
  json["rows_in_double"] = to_json(rows);
  text += comparison(rows);
  const bool failed = rows.missing.empty() ? !rows.holds() : requires_reference;
  if (failed) exit_code = kExitMismatch;
  publish(json, text, options);
  return exit_code;
}

}  // namespace

void add_cosim(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  options->backend = "cosim";
  Command command = add_command(
      app, "cosim", "Run the model and the RTL row pipe in lockstep, checked against Eigen");
  add_problem_option(command, *options, false);
  add_solve_options(command, *options);
  add_trace_option(command, *options);
  add_wave_options(command, *options);
  add_json_option(command, *options);
  auto requires_reference = std::make_shared<bool>(false);
  command.add_flag("--require-reference", *requires_reference,
                   "Fail if the rows cannot be compared with double precision");
  add_examples(command, {"ppu cosim", "ppu cosim stance --config small",
                         "ppu cosim --program mine.s --require-reference"});
  command.callback([options, requires_reference, &exit_code] {
    exit_code = cosim(*options, *requires_reference);
  });
}

}  // namespace ppu::sim
