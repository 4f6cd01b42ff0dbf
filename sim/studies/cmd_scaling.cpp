// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu study scaling PROBLEM`: how the cycles of a sweep fall with pipes, lanes and engines.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/base/cli_error.hpp"
#include "sim/base/text.hpp"
#include "sim/chart/svg_xy.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/problem/problem.hpp"
#include "sim/report/identity.hpp"
#include "sim/solve/firmware_file.hpp"
#include "sim/studies/studies.hpp"
#include "sim/study/scaling.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kScalingExplanation =
    "\ncycles/sweep: of a steady sweep. Bounds: the rows of an engine through its pipes; the rows "
    "of\n"
    "the busiest body, one body latency after the other; the longest chain of rows from body to "
    "body,\n"
    "around from sweep to sweep. Slot order: the cycles with dataflow=0, where rows issue in slot "
    "order.\n";

struct ScalingOptions {
  Options solve;
  std::vector<std::uint32_t> pipes = {1, 2, 4, 8, 16};
  std::vector<std::uint32_t> lanes = {1, 2, 3, 4, 6, 12};
  std::vector<std::uint32_t> engines;
  std::string svg;
};

/// One key of the configuration over its values.
struct Series {
  std::string key;
  std::vector<ScalingPoint> points;
  std::vector<std::uint32_t> values;
};

Series measure(const model::RowProblem& problem, const Options& options, const std::string& key,
               const std::vector<std::uint32_t>& values) {
  Series series{key, {}, values};
  for (const std::uint32_t value : values) {
    const std::string shape = key + "=" + std::to_string(value);
    series.points.push_back(measure_scaling(problem, reshaped(options, {shape})));
  }
  return series;
}

double rows_per_cycle(const model::RowProblem& problem, const ScalingPoint& point) {
  return static_cast<double>(problem.rows()) / point.cycles;
}

std::string whole(double cycles) {
  return grouped(static_cast<std::uint64_t>(cycles + 0.5));
}

std::string table_of(const model::RowProblem& problem, const Series& series) {
  Table table({"engines", "pipes", "lanes", "banks", "cycles/sweep", "rows/cycle", "pipe bound",
               "body bound", "chain bound", "set by", "over", "slot order"});
  for (const ScalingPoint& point : series.points) {
    const SweepBound& bound = point.bound;
    // Sweeps overlap, so some of ten may seem shorter than they are.
    const double over = std::max(point.cycles / static_cast<double>(bound.cycles()) - 1, 0.0);
    table.add({std::to_string(point.config.engines), std::to_string(point.config.pipes),
               std::to_string(point.config.lanes), std::to_string(point.config.velocity_banks),
               whole(point.cycles), fixed(rows_per_cycle(problem, point), 3),
               grouped(bound.pipe_cycles), grouped(bound.body_cycles), grouped(bound.chain_cycles),
               bound.set_by(), fixed(100 * over, 1) + " %", whole(point.slot_order)});
  }
  return table.str();
}

Json json_of(const model::RowProblem& problem, const Series& series) {
  Json list = Json::array();
  for (const ScalingPoint& point : series.points) {
    list.push_back(Json{{"engines", point.config.engines},
                        {"pipes", point.config.pipes},
                        {"lanes", point.config.lanes},
                        {"velocity_banks", point.config.velocity_banks},
                        {"body_latency_cycles", hw::body_latency(point.config)},
                        {"cycles_per_sweep", point.cycles},
                        {"rows_per_cycle", rows_per_cycle(problem, point)},
                        {"bound_cycles", point.bound.cycles()},
                        {"pipe_cycles", point.bound.pipe_cycles},
                        {"body_cycles", point.bound.body_cycles},
                        {"chain_cycles", point.bound.chain_cycles},
                        {"slot_order_cycles_per_sweep", point.slot_order}});
  }
  return list;
}

XyChart chart_of(const Series& series) {
  XyChart chart{series.key, "cycles per sweep", {}};
  XyCurve pipe_bound{"pipe bound", {}, false, true};
  XyCurve chain_bound{"chain bound", {}, false, true};
  XyCurve cycles{"cycles", {}};
  XyCurve slot_order{"slot order", {}};
  for (std::size_t i = 0; i < series.values.size(); ++i) {
    const ScalingPoint& point = series.points[i];
    const double x = series.values[i];
    chart.x_values.push_back(x);
    pipe_bound.points.emplace_back(x, static_cast<double>(point.bound.pipe_cycles));
    chain_bound.points.emplace_back(x, static_cast<double>(point.bound.chain_cycles));
    cycles.points.emplace_back(x, point.cycles);
    slot_order.points.emplace_back(x, point.slot_order);
  }
  chart.curves = {slot_order, cycles, pipe_bound, chain_bound};
  return chart;
}

bool is_set(const Options& options, const std::string& key) {
  return std::any_of(options.overrides.begin(), options.overrides.end(),
                     [&key](const std::string& text) { return text.rfind(key + "=", 0) == 0; });
}

/// A key that --set gives is not varied. Throws CliError (usage) if that is asked for.
void fix(Command command, const std::string& key, std::vector<std::uint32_t>* values) {
  const std::string option = "--" + key;
  if (command.get_option(option).count() > 0)
    throw CliError(kExitUsage,
                   option + " varies what --set " + key + "=... fixes, expected one of the two");
  values->clear();
}

void scaling(const ScalingOptions& options) {
  check_outputs(options.solve, {}, {{"--svg", options.svg}});
  const model::RowProblem problem = load_problem(options.solve.problem);
  std::vector<Series> all;
  for (const auto& [key, values] : {std::pair{"pipes", options.pipes},
                                    {"lanes", options.lanes},
                                    {"engines", options.engines}}) {
    if (!values.empty()) all.push_back(measure(problem, options.solve, key, values));
  }

  const SweepBound bound =
      sweep_bound(problem, hw::resolve_config(options.solve.config, options.solve.overrides), 1);
  const std::string title = problem.name + ": " + grouped(problem.rows()) + " rows, " +
                            grouped(bound.body_rows) + " of them on body " +
                            std::to_string(bound.body) + ", longest chain " +
                            grouped(bound.chain_rows) + ", config " + options.solve.config;
  Json json{{"problem", options.solve.problem},
            {"problem_hash", hash_of_problem(problem)},
            {"config", options.solve.config},
            {"program", options.solve.program},
            {"program_hash", hash_of_program(options.solve)},
            {"rows", problem.rows()},
            {"body_rows", bound.body_rows},
            {"chain_rows", bound.chain_rows}};
  std::string text = title + "\n";
  std::vector<XyChart> charts;
  for (const Series& series : all) {
    json[series.key] = json_of(problem, series);
    text += "\nby " + series.key + "\n" + table_of(problem, series);
    charts.push_back(chart_of(series));
  }
  std::vector<files::FileReplacement> files;
  if (!options.svg.empty()) files.emplace_back(options.svg, svg_file(title, charts));
  publish(json, text + kScalingExplanation, options.solve, std::move(files));
}

}  // namespace

void add_scaling(CLI::App& app, int& /*exit_code*/) {
  auto options = std::make_shared<ScalingOptions>();
  Command command =
      add_command(app, "scaling", "Cycles of a sweep over numbers of pipes, lanes and engines");
  add_problem_option(command, options->solve, true);
  for (const auto& [key, values] : {std::pair{"pipes", &options->pipes},
                                    {"lanes", &options->lanes},
                                    {"engines", &options->engines}}) {
    add_list_option(command, std::string("--") + key, *values,
                    std::string("Numbers of ") + key + " to try, separated by commas");
  }
  command.add_option("--program", options->solve.program, "Firmware: " + program_names())
      .capture_default_str();
  add_config_options(command, options->solve);
  command.add_option("--svg", options->svg, "Write the tables as a picture").is_path("OUT.svg");
  add_json_option(command, options->solve);
  add_examples(command, {"ppu study scaling wall10 --pipes 1,2,4",
                         "ppu study scaling wall10 --lanes 12 --svg scaling.svg"});
  command.callback([options, command] {
    for (const auto& [key, values] : {std::pair{"pipes", &options->pipes},
                                      {"lanes", &options->lanes},
                                      {"engines", &options->engines}}) {
      if (is_set(options->solve, key)) fix(command, key, values);
    }
    scaling(*options);
  });
}

}  // namespace ppu::sim
