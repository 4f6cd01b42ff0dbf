// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu fclib FILE`: friction-contact problems in the FCLIB format: solve them, make rows of them,
// write them.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "model/fclib/fclib_rows.hpp"
#include "model/files/row_problem_file.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/base/progress.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/commands/commands.hpp"
#include "sim/fclib/fclib_study.hpp"
#include "sim/problem/problem.hpp"

namespace ppu::sim {
namespace {

namespace fclib = model::fclib;

struct FclibCommand {
  Options device;
  FclibOptions solve;
  std::string file;
  std::string rows;         ///< Where the rows go; empty: solve.
  std::string export_rows;  ///< Where the FCLIB file of rows goes; empty: FILE is FCLIB.
};

std::vector<std::string> result_cells(const fclib::Problem& problem, const FclibResult& result) {
  const double contacts = static_cast<double>(problem.contacts());
  return {result.method,
          result.directions == 0 ? "cone" : std::to_string(result.directions),
          grouped(result.rows),
          grouped(result.sweeps),
          result.reached ? "yes" : "no",
          scientific(result.error),
          scientific(result.error_in_cone),
          scientific(std::max(0.0, result.excess)),
          fixed(1e3 * result.device_seconds.value_or(kNotMeasured), 2),
          fixed(1e3 * result.host_seconds, 2),
          fixed(1e6 * result.seconds() / contacts, 2)};
}

nlohmann::ordered_json to_json(const FclibResult& result) {
  nlohmann::ordered_json json{{"method", result.method},
                              {"directions", result.directions},
                              {"rows", result.rows},
                              {"sweeps", result.sweeps},
                              {"reached", result.reached},
                              {"error", result.error},
                              {"error_in_cone", result.error_in_cone},
                              {"cone_excess", result.excess},
                              {"device_seconds", nullptr},
                              {"host_seconds", result.host_seconds}};
  if (result.device_seconds) json["device_seconds"] = *result.device_seconds;
  return json;
}

std::string head_of(const fclib::Problem& problem) {
  Table table({"file", problem.name});
  if (!problem.title.empty()) table.add({"title", problem.title});
  table.add({"form", problem.is_global ? "global: M, H, f, w, mu" : "local: W, q, mu"});
  table.add({"dimensions", std::to_string(problem.dimension)});
  table.add({"contacts", grouped(problem.contacts())});
  if (problem.is_global)
    table.add({"bodies", grouped(static_cast<std::uint64_t>(problem.m.rows) /
                                 (problem.dimension == 3 ? 6 : 3))});
  const bool has_solution = std::any_of(problem.solution.begin(), problem.solution.end(),
                                        [](double r) { return r != 0; });
  if (has_solution)
    table.add({"error of its solution",
               scientific(fclib::natural_error(fclib::localized(problem), problem.solution))});
  return table.str();
}

void solve_fclib_file(const FclibCommand& command) {
  const fclib::Problem problem = fclib::read(command.file);
  check_outputs(command.device, {{"the file", command.file}});
  std::vector<FclibResult> results;
  {
    const Progress progress("solves " + command.file);
    results = solve_fclib(problem, command.device, command.solve);
  }
  Table table({"method", "directions", "rows", "sweeps", "reached", "error", "put in cones",
               "beyond cone", "device ms", "host ms", "us/contact"});
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const FclibResult& result : results) {
    table.add(result_cells(problem, result));
    all.push_back(to_json(result));
  }
  publish({{"file", command.file},
           {"form", problem.is_global ? "global" : "local"},
           {"contacts", problem.contacts()},
           {"results", all}},
          head_of(problem) + "\n" + table.str(), command.device);
}

/// The options of JSON that is not of the command's usual kind.
Options of_kind(Options options, const char* kind) {
  options.schema += kind;
  return options;
}

void write_rows(const FclibCommand& command) {
  check_outputs(command.device, {{"the file", command.file}}, {{"--rows", command.rows}});
  const fclib::Problem problem = fclib::read(command.file);
  const std::uint32_t directions = command.solve.directions.front();
  const model::RowProblem rows = fclib::rows_of(problem, directions);
  const std::vector<char> image = model::row_problem_image(rows, command.rows);
  std::vector<files::FileReplacement> files;
  files.emplace_back(command.rows, std::string_view(image.data(), image.size()));
  publish({{"rows", rows.rows()}, {"bodies", rows.bodies()}, {"directions", directions}},
          counted(rows.rows(), "row") + " over " + grouped(rows.bodies()) + " bodies, " +
              std::to_string(directions) + " friction rows to a contact\n",
          of_kind(command.device, "-rows"), std::move(files));
}

void write_fclib(const FclibCommand& command) {
  check_outputs(command.device, {{"the file", command.file}}, {{"--export", command.export_rows}});
  model::RowProblem rows = load_problem(command.file);
  rows.name = command.file;
  const fclib::Problem problem = fclib::global_of(rows);
  const std::vector<char> image = fclib::image(problem, command.export_rows);
  std::vector<files::FileReplacement> files;
  files.emplace_back(command.export_rows, std::string_view(image.data(), image.size()));
  publish({{"contacts", problem.contacts()}, {"bodies", rows.bodies()}},
          counted(problem.contacts(), "contact") + " over " + grouped(rows.bodies()) + " bodies\n",
          of_kind(command.device, "-export"), std::move(files));
}

void check_fclib(Command command, const FclibCommand& asked) {
  for (const std::uint32_t directions : asked.solve.directions)
    if (directions < 2 || directions > 8)
      throw CliError(kExitUsage,
                     "--directions: found " + std::to_string(directions) + ", expected 2 to 8");
  for (const std::string& method : asked.solve.methods) {
    const std::string wrong = complaint_unless_one_of(fclib_methods(), method);
    if (!wrong.empty()) throw CliError(kExitUsage, "--methods: " + wrong);
  }
  for (const std::string& peer : asked.solve.peers) {
    const std::string wrong = complaint_unless_one_of({"siconos"}, peer);
    if (!wrong.empty()) throw CliError(kExitUsage, "--peers: " + wrong);
  }
  if (asked.rows.empty() && asked.export_rows.empty()) return;
  for (const char* of_solve : {"--methods", "--peers", "--sweeps", "--tolerance", "--backend"})
    if (command.get_option(of_solve).count() > 0)
      throw CliError(kExitUsage,
                     std::string(of_solve) + " means nothing where a file is only written");
  if (!asked.rows.empty() && !asked.export_rows.empty())
    throw CliError(kExitUsage, "expected one of --rows and --export");
  if (!asked.rows.empty() && command.get_option("--directions").count() > 0 &&
      asked.solve.directions.size() != 1)
    throw CliError(kExitUsage, "--directions: expected one number with --rows");
}

}  // namespace

void add_fclib(CLI::App& app, int& /*exit_code*/) {
  auto asked = std::make_shared<FclibCommand>();
  Command command = add_command(app, "fclib", "Friction-contact problems in the FCLIB format");
  command.add_option("FILE", asked->file, "An FCLIB file; with --export, a row problem")
      .is_path("FILE")
      .required();
  add_list_option(command, "--methods", asked->solve.methods,
                  "Of pgs, explicit, pgs-sm, interior-point, cones");
  add_list_option(command, "--directions", asked->solve.directions, "Friction rows to a contact");
  add_list_option(command, "--peers", asked->solve.peers, "Beside: siconos");
  command.add_option("--sweeps", asked->solve.sweeps, "At most (pgs: 1000)")
      .type_name("COUNT")
      .capture_default_str()
      .check(in_range<std::uint32_t>(1, 100000000));
  command.add_option("--tolerance", asked->solve.tolerance, "Error at which cones and a peer end")
      .type_name("NUMBER")
      .capture_default_str()
      .check(in_range(1e-16, 1.0));
  command.add_option("--rows", asked->rows, "Only write its rows").is_path("OUT.h5");
  command.add_option("--export", asked->export_rows, "Only write a row problem as FCLIB")
      .is_path("OUT.hdf5");
  add_backend_option(command, asked->device);
  add_config_options(command, asked->device);
  add_json_option(command, asked->device);
  add_examples(command, {"ppu fclib Box_Stacks-i0122-82-5.hdf5 --peers siconos",
                         "ppu fclib tests/data/wall10_f012.h5 --export wall.hdf5"});
  command.callback([asked, command] {
    check_fclib(command, *asked);
    if (!asked->rows.empty()) return write_rows(*asked);
    if (!asked->export_rows.empty()) return write_fclib(*asked);
    solve_fclib_file(*asked);
  });
}

}  // namespace ppu::sim
