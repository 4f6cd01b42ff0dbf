// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu points`: solves one point of a study after another. A line of standard input is a point, the
// words of `ppu profile` as a JSON array; a line of standard output is what came of it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/base/cli_error.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/commands/commands.hpp"
#include "sim/demo/profiled.hpp"
#include "sim/measure/measures.hpp"
#include "sim/measure/solve_cost.hpp"
#include "sim/report/identity.hpp"
#include "sim/report/report_json.hpp"
#include "sim/solve/solver.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

Profiled parse_point(const std::string& line) {
  std::vector<std::string> words = nlohmann::json::parse(line);
  CLI::App app("", "profile");
  Profiled point;
  add_profiled_options(Command(&app), point);
  std::reverse(words.begin(), words.end());  // As CLI11 takes them.
  app.parse(words);
  check_profiled(point);
  return point;
}

Json result_of(const model::RowProblem& problem, const Options& options) {
  const SolveResult result = solve_once(problem, options);
  Json json = to_json(problem, options, result);
  json.erase("identity");  // It stands beside the result.
  json["bound"] = bound_in_words(problem, options, result);
  for (const UnitUse& use : unit_uses(result, options)) json["busy"][use.key] = use.share;
  for (std::size_t i = 0; i < PPU_DEVICE_COUNTER_COUNT; ++i) {
    const auto counter = static_cast<ppu_device_counter>(i);
    json["device_counters"][ppu_device_counter_name(counter)] = result.counter(counter);
  }
  return json;
}

/// Answers points, and keeps the rows of the last one.
class PointSolver {
 public:
  explicit PointSolver(bool check_only) : check_only_(check_only) {}

  Json answer(const std::string& line) {
    try {
      return answer_of(parse_point(line));
    } catch (const CliError& error) {
      return complaint(error, error.exit_code);
    } catch (const Error& error) {
      return complaint(error, exit_code_of(error.result));
    } catch (const std::system_error& error) {
      return complaint(error, kExitEnvironment);
    } catch (const std::bad_alloc& error) {
      return complaint(error, kExitEnvironment);
    } catch (const std::exception& error) {
      return complaint(error, kExitUsage);
    }
  }

 private:
  static Json complaint(const std::exception& error, int exit_code) {
    return Json{{"error", error.what()}, {"exit_code", exit_code}};
  }

  Json answer_of(Profiled point) {
    const std::string name = point.solve.problem + '\n' + point.scene.name + '\n' +
                             std::to_string(point.scene.seed) + '\n' + std::to_string(point.frame);
    if (name != name_) {
      name_.clear();
      problem_ = rows_of(&point);
      problem_hash_ = hash_of_problem(problem_);
      name_ = name;
    }
    if (point.solve.problem.empty()) point.solve.problem = problem_.name;
    Json json{{"identity", identity_of(point.solve, problem_hash_)},
              {"rows", problem_.rows()},
              {"bodies", problem_.bodies()}};
    if (!check_only_) json["result"] = result_of(problem_, point.solve);
    return json;
  }

  bool check_only_;
  std::string name_;
  model::RowProblem problem_;
  std::string problem_hash_;
};

void answer_points(bool check_only) {
  PointSolver solver(check_only);
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << solver.answer(line).dump(-1, ' ', false, Json::error_handler_t::replace) << "\n"
              << std::flush;
    if (!std::cout) break;
  }
}

}  // namespace

void add_points(CLI::App& app, int& /*exit_code*/) {
  auto check_only = std::make_shared<bool>(false);
  Command command =
      add_command(app, "points", "Solve points: words of profile, a JSON array a line of input");
  command.add_flag("--check", *check_only, "Only say what identifies each point");
  add_examples(command, {"ppu points", "ppu points --check"});
  command.callback([check_only] { answer_points(*check_only); });
}

}  // namespace ppu::sim
