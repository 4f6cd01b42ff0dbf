// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu demo`: the main job. A real wall on every back end, checked against Eigen, with a report.
// With a scene, `ppu demo SCENE`: that scene on the CPU engine and on the PPU, frame by frame.
#include <iostream>
#include <memory>

#include "base/files/file_replacement.hpp"
#include "sim/base/embedded.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/commands/commands.hpp"
#include "sim/demo/scene_demo.hpp"
#include "sim/measure/measures.hpp"
#include "sim/measure/solve_comparison.hpp"
#include "sim/measure/solve_cost.hpp"
#include "sim/problem/problem.hpp"
#include "sim/report/reference_check.hpp"
#include "sim/report/report_html.hpp"
#include "sim/report/report_text.hpp"

namespace ppu::sim {
namespace {

struct Demo {
  std::string report_folder = "out";
  std::string trace;  ///< Event log of the systemc run; empty: none.
};

/// What the results show together, in one sentence.
struct Verdict {
  bool good = true;
  std::string text;
};

Verdict judge(const std::vector<BackendResult>& results, double bound) {
  std::vector<std::string> different;
  double error = 0;
  std::uint64_t compared = 0;
  const BackendResult* timed = nullptr;
  for (const BackendResult& result : results) {
    error = std::max(error, result.error);
    compared += result.solve.lockstep_rows;
    if (timed == nullptr && result.solve.timed()) timed = &result;
    // With the first of all, and cycles with the first that has time.
    for (const BackendResult* other : {&results.front(), timed}) {
      if (other == nullptr || other == &result) continue;
      for (std::string& line :
           differences(other->options.backend, other->solve, result.options.backend, result.solve))
        different.push_back(std::move(line));
    }
  }
  const std::string equal =
      different.empty() ? "State hashes equal, device cycles equal" : "DIFFERENT " + different[0];
  const std::string holds = error <= bound ? " within " : " ABOVE ";
  return {different.empty() && error <= bound,
          equal + "; RTL row pipe: " + grouped(compared) +
              " rows compared bit for bit, 0 differences; error against Eigen " +
              scientific(error) + holds + "the bound " + scientific(bound) + " of max|x|"};
}

/// Index of the result that knows the cycles of every row: the last of those.
std::size_t detailed(const std::vector<BackendResult>& results) {
  std::size_t index = results.size() - 1;
  while (!results[index].solve.device.profiles) --index;
  return index;
}

std::string headline(const model::RowProblem& problem, const BackendResult& timed) {
  const ppu_device_info& device = timed.solve.device;
  return problem.name + ": a brick wall hit by a cannon ball, " + grouped(problem.rows()) +
         " constraint rows, " + grouped(problem.bodies()) + " bodies\nfirmware " +
         timed.options.program + ", order " + timed.options.order + ", config " +
         timed.options.config + " (" + device_in_words(device) + ")\n\n";
}

int run_demo(const Demo& demo) {
  const std::string report = report_file(demo.report_folder);
  check_apart({}, {{"--trace", demo.trace}, {"--report", report}});
  const model::RowProblem problem = load_problem(kEmbeddedProblem);
  std::vector<BackendResult> results;
  Table table(headline_titles());
  ReferenceCheck reference{};
  for (const std::string& backend : backend_names()) {
    Options options;
    options.problem = kEmbeddedProblem;
    options.backend = backend;
    options.row_profile = true;
    if (backend == "systemc") options.trace = demo.trace;
    check_outputs(options);
    SolveResult solve = solve_once(problem, options);
    reference = check_reference(problem, options, solve);
    results.push_back({options, std::move(solve), reference.error});
    table.add(headline_cells(problem, results.back()));
  }
  const BackendResult& timed = results[detailed(results)];
  const Verdict verdict = judge(results, reference.bound);
  const std::string page = report_html(problem, results, detailed(results), verdict.text,
                                       "ppu demo --report " + shell_word(demo.report_folder) +
                                           "\n" + command_line("profile", timed.options));
  files::FileReplacement(report, page).commit();
  std::cout << headline(problem, timed) << table.str() << "\n"
            << verdict.text << "\nDevice: " << cost_line(timed.solve)
            << " cycles\nCycles: " << stall_line(timed.solve) << "\n"
            << wrapped("Bound by " + bound_in_words(problem, timed.options, timed.solve))
            << "Report: " << report << "\n";
  return verdict.good ? kExitOk : kExitMismatch;
}

/// The options that belong to a scene, none of them without one.
void add_scene_options(Command command, SceneDemo& demo, Option scene) {
  demo.solve.backend = "functional";
  add_frames_option(command, demo.frames).needs(scene);
  add_seed_option(command, demo.scene).needs(scene);
  command
      .add_option("--every", demo.every, "With a scene: frames between two lines; else ten lines")
      .check(in_range(1U, kMostFrames))
      .needs(scene);
  command.add_option("--glb", demo.glb, "With a scene: write the replay as binary glTF 2.0")
      .is_path("FILE")
      .needs(scene);
  add_backend_option(command, demo.solve);
  add_order_option(command, demo.solve);
  add_config_options(command, demo.solve);
  add_json_option(command, demo.solve);
  for (const char* name : {"--backend", "--order", "--config", "--set", "--json"})
    command.get_option(name).needs(scene);
}

}  // namespace

void add_demo(CLI::App& app, int& exit_code) {
  auto demo = std::make_shared<Demo>();
  auto scene_demo = std::make_shared<SceneDemo>();
  Command command =
      add_command(app, "demo", "Solve a wall on every back end, compare, report; or step a scene");
  Option scene = add_scene_option(command, scene_demo->scene);
  Option report = command
                      .add_option("--report", demo->report_folder,
                                  "Folder of report.html; of a scene, only if this is given")
                      .is_path("DIR")
                      .capture_default_str();
  command
      .add_option("--trace", demo->trace,
                  "Without a scene: write the event log of systemc, for ppu trace")
      .is_path("FILE")
      .excludes(scene);
  add_scene_options(command, *scene_demo, scene);
  add_examples(command, {"ppu demo", "ppu demo wall10 --frames 60 --report out"});
  command.callback([demo, scene_demo, report, &exit_code] {
    if (report.count() > 0) scene_demo->report_folder = demo->report_folder;
    exit_code = scene_demo->scene.name.empty() ? run_demo(*demo) : run_scene_demo(*scene_demo);
  });
}

}  // namespace ppu::sim
