// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu profile PROBLEM`: where the cycles of a solve went.
#include <nlohmann/json.hpp>

#include "cli_error.hpp"
#include "commands.hpp"
#include "frame_cost.hpp"
#include "measures.hpp"
#include "problem.hpp"
#include "publish.hpp"
#include "report_json.hpp"
#include "report_text.hpp"

namespace ppu::sim {
namespace {

nlohmann::ordered_json profile_json(const model::RowProblem& problem, const Options& options,
                                    const Run& run) {
  using Json = nlohmann::ordered_json;
  Json json = to_json(problem, options, run);
  json["bound"] = bound_in_words(problem, options, run);
  json["islands"] = island_rows(problem).size();
  for (const UnitUse& use : unit_uses(run, options)) json["busy"][use.key] = use.share;
  for (std::size_t i = 0; i < PPU_DEVICE_COUNTER_COUNT; ++i) {
    const auto counter = static_cast<ppu_device_counter>(i);
    json["device_counters"][ppu_device_counter_name(counter)] = run.counter(counter);
  }
  json["cycle_histogram"] = Json::array();
  json["kinds"] = Json::object();
  json["slowest_rows"] = Json::array();
  if (mean_visits(run) == 0) return json;
  for (const HistogramBin& bin : cycle_histogram(run)) {
    json["cycle_histogram"].push_back(Json{{"from_cycles", bin.low}, {"rows", bin.rows}});
  }
  for (const KindMeasure& kind : measure_kinds(problem, run)) {
    json["kinds"][kind_name(kind.kind)] = {{"rows", kind.rows},
                                           {"cycles_per_row", kind.cycles_per_row}};
  }
  const bool slots = run.report.runs == 1;
  const std::vector<std::uint32_t> order = slot_order(problem, options, run);
  for (const std::size_t row : slowest_rows(run, 10)) {
    json["slowest_rows"].push_back(Json{{"row", row},
                                        {"slot", slots ? Json(slot_of(order, row)) : Json()},
                                        {"kind", kind_name(problem.kind[row])},
                                        {"body", problem.body[row]},
                                        {"cycles_per_visit", cycles_per_visit(run, row)}});
  }
  return json;
}

void profile(const Options& options) {
  const model::RowProblem problem = load_problem(options.problem);
  const Run run = run_solve(problem, options);
  if (!run.timed()) {
    throw CliError(kExitUsage, "profile: back end '" + options.backend +
                                   "' has no time, expected systemc, cosim or rtl");
  }
  publish(profile_json(problem, options, run),
          summary(problem, options, run) + "\n" + profile_text(problem, options, run), options);
}

}  // namespace

void add_profile(CLI::App& app, int& /*exit_code*/) {
  auto options = std::make_shared<Options>();
  options->row_profile = true;
  CLI::App* command =
      app.add_subcommand("profile", "Rows per cycle, reasons of stalls, cycles per row of a solve");
  add_problem_option(*command, *options, true);
  add_backend_option(*command, *options);
  add_run_options(*command, *options);
  add_trace_option(*command, *options);
  add_json_option(*command, *options);
  command->callback([options] { profile(*options); });
}

}  // namespace ppu::sim
