// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu study warm [SCENE]`: frames that follow each other, to a threshold, from zero, from the
// engine's own warm start, and from the answer of the frame before.
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/base/cli_error.hpp"
#include "sim/base/progress.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/demo/mapped_start.hpp"
#include "sim/demo/scene_options.hpp"
#include "sim/demo/scene_problem.hpp"
#include "sim/method/method.hpp"
#include "sim/studies/studies.hpp"

namespace ppu::sim {
namespace {

struct WarmStudy {
  SceneOptions scene{"pile"};
  std::vector<std::uint32_t> at = {170, 298, 697};
  std::uint32_t frames = 3;
  std::uint32_t calm_from = 310;
  std::uint32_t iterations = 300;
  Options solve;
  std::string table;
};

/// One frame by the three starts.
struct WarmFrame {
  std::uint32_t frame = 0;
  std::size_t rows = 0;
  int iterations = 0;  ///< Of the engine.
  MappedStart start;
  MethodResult cold, engine, mapped;
};

MethodResult solved_from(const std::string& start, const model::RowProblem& problem,
                         const WarmStudy& study) {
  Options options = study.solve;
  options.problem = problem.name;
  options.start = start;
  MethodOptions method;
  method.method = kMendedMethod;
  method.frozen = true;
  method.sweeps = options.sweeps;
  method.threshold = options.threshold;
  return solve_by_method(problem, options, method);
}

/// For each of `after` its place in `before`, or -1.
std::vector<std::int32_t> places_in(const std::vector<const btRigidBody*>& before,
                                    const std::vector<const btRigidBody*>& after) {
  std::map<const btRigidBody*, std::int32_t> place;
  for (const btRigidBody* body : before)
    place.emplace(body, static_cast<std::int32_t>(place.size()));
  std::vector<std::int32_t> places;
  for (const btRigidBody* body : after) {
    const auto found = place.find(body);
    places.push_back(found == place.end() ? -1 : found->second);
  }
  return places;
}

/// Before every step.
void settle_if_due(SceneFrames& frames, const WarmStudy& study) {
  if (frames.frame() >= study.calm_from) frames.settle(static_cast<int>(study.iterations));
}

/// The frames after the one at `frames`: each starts from the answer of the one before, the first
/// from one that started from zero.
void measure_from(SceneFrames& frames, const WarmStudy& study, std::vector<WarmFrame>& all) {
  settle_if_due(frames, study);
  model::RowProblem before = frames.record();
  std::vector<float> answer = solved_from("cold", before, study).solution.impulse;
  for (std::uint32_t k = 1; k < study.frames; ++k) {
    const std::vector<const btRigidBody*> bodies = frames.bodies();
    settle_if_due(frames, study);
    model::RowProblem problem = frames.record();
    WarmFrame one;
    one.frame = static_cast<std::uint32_t>(problem.frame);
    one.rows = problem.rows();
    one.iterations = problem.reference->sweeps;
    one.start = map_start(before, answer, problem, places_in(bodies, frames.bodies()));
    one.cold = solved_from("cold", problem, study);
    one.engine = solved_from("warm", problem, study);
    one.mapped = solved_from("warm", started_from(one.start, problem), study);
    answer = one.mapped.solution.impulse;
    before = std::move(problem);
    all.push_back(std::move(one));
  }
}

std::vector<WarmFrame> measure(const WarmStudy& study) {
  SceneFrames frames(study.scene.name, study.scene.seed);
  std::vector<WarmFrame> all;
  for (const std::uint32_t first : study.at) {
    if (first < frames.frame())
      throw CliError(kExitUsage, "--at: frame " + std::to_string(first) +
                                     " is among those before, expected numbers that are --frames "
                                     "apart, smallest first");
    while (frames.frame() < first) {
      settle_if_due(frames, study);
      frames.step();
    }
    measure_from(frames, study, all);
  }
  return all;
}

double ms_of(const MethodResult& result) {
  if (!result.device || result.device->cycles == 0) return kNotMeasured;
  return static_cast<double>(result.device->cycles) / result.device->clock_mhz / 1e3;
}

std::string sweeps_of(const MethodResult& result) {
  return (result.reached ? "" : ">") + grouped(static_cast<std::uint64_t>(result.sweeps));
}

Table table_of(const std::vector<WarmFrame>& frames) {
  Table table({"frame", "rows", "engine's iterations", "rows found again", "sweeps, cold", "ms",
               "engine's start", "ms", "frame before", "ms", "true residual"});
  for (const WarmFrame& one : frames)
    table.add({std::to_string(one.frame), grouped(one.rows), std::to_string(one.iterations),
               grouped(one.start.matched) + "/" + grouped(one.start.contacts), sweeps_of(one.cold),
               fixed(ms_of(one.cold), 1), sweeps_of(one.engine), fixed(ms_of(one.engine), 1),
               sweeps_of(one.mapped), fixed(ms_of(one.mapped), 1),
               scientific(one.mapped.residual.rate)});
  return table;
}

nlohmann::ordered_json json_of(const MethodResult& result) {
  const double ms = ms_of(result);
  return {{"reached", result.reached},
          {"sweeps", result.sweeps},
          {"device_ms", std::isnan(ms) ? nlohmann::ordered_json() : nlohmann::ordered_json(ms)},
          {"max_residual", result.residual.rate}};
}

nlohmann::ordered_json json_of(const std::vector<WarmFrame>& frames) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const WarmFrame& one : frames)
    list.push_back({{"frame", one.frame},
                    {"rows", one.rows},
                    {"iterations", one.iterations},
                    {"contacts", one.start.contacts},
                    {"matched", one.start.matched},
                    {"cold", json_of(one.cold)},
                    {"engine", json_of(one.engine)},
                    {"mapped", json_of(one.mapped)}});
  return list;
}

std::string command_of(const WarmStudy& study) {
  const auto list = [](const std::vector<std::uint32_t>& numbers) {
    std::string text;
    for (const std::uint32_t number : numbers)
      text += (text.empty() ? "" : ",") + std::to_string(number);
    return text;
  };
  const WarmStudy usual;
  std::string command = "ppu study warm " + study.scene.name;
  if (study.at != usual.at) command += " --at " + list(study.at);
  if (study.frames != usual.frames) command += " --frames " + std::to_string(study.frames);
  if (study.calm_from != usual.calm_from)
    command += " --calm-from " + std::to_string(study.calm_from);
  if (study.iterations != usual.iterations)
    command += " --iterations " + std::to_string(study.iterations);
  if (study.solve.config != usual.solve.config) command += " --config " + study.solve.config;
  for (const std::string& word : study.solve.overrides) command += " --set " + word;
  return command;
}

std::string page_of(const WarmStudy& study, const Table& table) {
  return "<!-- SPDX-License-Identifier: Apache-2.0 -->\n<!-- Generated by " + command_of(study) +
         " --table " + study.table + "; do not edit. -->\n# Warm starts\n\n" +
         wrapped(
             "Frames of the scene " + study.scene.name +
                 " that follow each other, friction frozen at the engine's answer, by "
                 "`mended` with program " +
                 study.solve.program + " to a true residual of " +
                 scientific(static_cast<double>(*study.solve.threshold)) +
                 " m/s: sweeps and milliseconds of the device, copies included. From zero; "
                 "from what the engine hands on, which is normals alone; and from the answer "
                 "of the frame before, friction included. The world goes on by the engine's "
                 "own answers. From frame " +
                 std::to_string(study.calm_from) + " on it takes " +
                 counted(std::uint64_t{study.iterations}, "iteration") +
                 " in place of 10 and hands on the whole of an impulse in place of 85 %: things "
                 "come to rest. What follows: "
                 "[methods](../../guide/methods.md#the-headline-case).",
             118) +
         "\n" + table.markdown();
}

void study_warm(const WarmStudy& study) {
  check_outputs(study.solve, {}, {{"--table", study.table}});
  std::vector<WarmFrame> frames;
  {
    const Progress progress("follows " + study.scene.name);
    frames = measure(study);
  }
  const Table table = table_of(frames);
  std::vector<files::FileReplacement> files;
  const std::string page = page_of(study, table);
  if (!study.table.empty()) files.emplace_back(study.table, page);
  publish({{"scene", study.scene.name}, {"frames", json_of(frames)}}, table.str(), study.solve,
          std::move(files));
}

}  // namespace

void add_warm(CLI::App& app, int& /*exit_code*/) {
  auto study = std::make_shared<WarmStudy>();
  study->solve.program = "nesterov";
  study->solve.threshold = 0.01F;
  study->solve.sweeps = 20000;
  Command command =
      add_command(app, "warm", "Frames from the answer of the frame before, to a threshold");
  add_scene_option(command, study->scene);
  add_seed_option(command, study->scene);
  add_list_option(command, "--at", study->at, "Frames to look at, and those that follow each");
  command.add_option("--frames", study->frames, "To solve at each, the first from zero alone")
      .capture_default_str()
      .check(in_range(2U, 1000U));
  command
      .add_option("--calm-from", study->calm_from,
                  "Frame from which --iterations let things come to rest")
      .capture_default_str()
      .check(in_range(0U, kMostFrames));
  command.add_option("--iterations", study->iterations, "Of the engine from then on")
      .capture_default_str()
      .check(in_range(1U, 1000000U));
  command.add_option("--threshold", study->solve.threshold, "True residual to end at, m/s")
      .type_name("NUMBER")
      .check(threshold_check());
  command.add_option("--sweeps", study->solve.sweeps, "At most, in a frame")
      .type_name("COUNT")
      .capture_default_str()
      .check(in_range(1U, 1000000U));
  command.add_option("--table", study->table, "Write the results as a page").is_path("FILE.md");
  add_backend_option(command, study->solve);
  add_config_options(command, study->solve);
  add_json_option(command, study->solve);
  add_examples(command, {"ppu study warm --set pipes=4 --set velocity_banks=32",
                         "ppu study warm wall10 --at 5 --frames 3 --threshold 0.001"});
  command.callback([study] { study_warm(*study); });
}

}  // namespace ppu::sim
