// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu study step [SCENE...]`: what solving costs in the step of a world with and without a PPU,
// from the engine's set-up to its finish.
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/base/progress.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/demo/scene_options.hpp"
#include "sim/demo/step_cost.hpp"
#include "sim/scenes/heap.hpp"
#include "sim/scenes/registry.hpp"
#include "sim/solve/solver.hpp"
#include "sim/studies/studies.hpp"

namespace ppu::sim {
namespace {

struct StepOptions {
  Options solve;
  std::vector<std::string> scenes;  ///< None: heaps of
  std::vector<std::uint32_t> boxes = {12, 110, 560, 2270};
  std::uint32_t seed = 1;
  StepStudy study;
};

constexpr char kStepExplanation[] =
    "\nIn one world, the CPU engine and the PPU take turns. ns/row: what the plug-in and the "
    "driver\n"
    "do on the host in place of the iterations, for each row. Upload, run and download are the\n"
    "device's own time; host times are of this machine. At once: what of it passes while the host\n"
    "converts rows, which go to the device in blocks. CPU/PPU: how many times as long the step "
    "takes\n"
    "without a PPU, set-up and finish included.\n";

std::string in_microseconds(double seconds) {
  return fixed(1e6 * seconds, 1);
}

double nanoseconds_per_row(const StepCost& cost) {
  return 1e9 * cost.host_work / static_cast<double>(cost.rows);
}

std::vector<std::string> step_cells(const std::string& scene, const StepCost& cost, bool timed) {
  std::vector<std::string> cells = {scene, grouped(cost.rows)};
  for (const double part : {cost.cpu.set_up, cost.cpu.iterations, cost.cpu.finish, cost.host.set_up,
                            cost.host.conversion, cost.host.plan, cost.host.packing,
                            cost.host.copying_back, cost.host.finish})
    cells.push_back(in_microseconds(part));
  cells.push_back(fixed(nanoseconds_per_row(cost), 0));
  for (const double part : {cost.upload, cost.run, cost.download, cost.host.overlap})
    cells.push_back(timed ? in_microseconds(part) : "-");
  cells.push_back(timed ? fixed(cost.on_cpu / cost.with_ppu, 2) : "-");
  return cells;
}

nlohmann::ordered_json step_json(const std::string& scene, const StepCost& cost, bool timed) {
  const auto of_device = [timed](double seconds) {
    return timed ? nlohmann::ordered_json(seconds) : nlohmann::ordered_json();
  };
  return {{"scene", scene},
          {"rows", cost.rows},
          {"cpu_set_up_seconds", cost.cpu.set_up},
          {"cpu_iterations_seconds", cost.cpu.iterations},
          {"cpu_finish_seconds", cost.cpu.finish},
          {"set_up_seconds", cost.host.set_up},
          {"conversion_seconds", cost.host.conversion},
          {"plan_seconds", cost.host.plan},
          {"packing_seconds", cost.host.packing},
          {"copying_back_seconds", cost.host.copying_back},
          {"finish_seconds", cost.host.finish},
          {"host_nanoseconds_per_row", nanoseconds_per_row(cost)},
          {"upload_seconds", of_device(cost.upload)},
          {"run_seconds", of_device(cost.run)},
          {"download_seconds", of_device(cost.download)},
          {"overlap_seconds", of_device(cost.host.overlap)},
          {"gain", of_device(cost.on_cpu / cost.with_ppu)}};
}

void study_steps(StepOptions options) {
  check_outputs(options.solve);
  options.study.order = order_of(options.solve);
  const Device device = open_device(options.solve);
  const bool timed = device.info().timed;
  nlohmann::ordered_json json{{"backend", options.solve.backend},
                              {"config", options.solve.config},
                              {"order", options.solve.order},
                              {"frames", options.study.frames},
                              {"scenes", nlohmann::ordered_json::array()}};
  Table table({"scene", "rows", "CPU set-up", "iterations", "finish", "PPU set-up", "conversion",
               "plan", "packing", "back", "finish", "ns/row", "upload", "run", "download",
               "at once", "CPU/PPU"});
  const auto measure = [&](const std::string& scene) {
    const Progress progress("steps " + scene);
    const StepCost cost = measure_steps(options.study, device);
    table.add(step_cells(scene, cost, timed));
    json["scenes"].push_back(step_json(scene, cost, timed));
  };
  for (const std::string& scene : options.scenes) {
    options.study.make = [&](scenes::SolverPtr solver) {
      return scenes::make_scene(scene, options.seed, std::move(solver));
    };
    measure(scene);
  }
  if (!options.scenes.empty()) options.boxes.clear();
  for (const std::uint32_t boxes : options.boxes) {
    options.study.make = [&](scenes::SolverPtr solver) {
      return scenes::make_stirred_heap(static_cast<int>(boxes), options.seed, std::move(solver));
    };
    measure("heap of " + grouped(boxes));
  }
  publish(json,
          "Medians of a step in microseconds, order " + options.solve.order + ", config " +
              options.solve.config + "\n\n" + table.str() + kStepExplanation,
          options.solve);
}

}  // namespace

void add_step(CLI::App& app, int& /*exit_code*/) {
  auto options = std::make_shared<StepOptions>();
  options->solve.backend = "systemc";
  Command command =
      add_command(app, "step", "What solving costs in the step of a world, with and without a PPU");
  command
      .add_option("scenes", options->scenes,
                  "Scenes: " + joined(scenes::scene_names()) + "; else heaps of --boxes")
      .check(member_of(scenes::scene_names()));
  add_list_option(command, "--boxes", options->boxes,
                  "Boxes of stirred heaps, whose contacts change in every frame");
  command.add_option("--after", options->study.first_frame, "Frames before the first that counts")
      .capture_default_str()
      .check(in_range(0U, kMostFrames));
  command.add_option("--frames", options->study.frames, "Frames that count, half of them on each")
      .capture_default_str()
      .check(in_range(2U, kMostFrames));
  add_backend_option(command, options->solve);
  add_order_option(command, options->solve);
  add_config_options(command, options->solve);
  add_json_option(command, options->solve);
  add_examples(command, {"ppu study step", "ppu study step wall10 --after 20 --order engine"});
  command.callback([options] { study_steps(*options); });
}

}  // namespace ppu::sim
