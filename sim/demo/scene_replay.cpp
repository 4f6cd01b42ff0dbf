// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The replay of a scene that runs on the PPU.
#include "sim/demo/scene_replay.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "sim/base/cli_error.hpp"
#include "sim/base/progress.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/demo/scene_problem.hpp"
#include "sim/demo/scene_twins.hpp"
#include "sim/replay/replay_record.hpp"

namespace ppu::sim {
namespace {

/// How the plug-in has the device solve worlds with Bullet's own settings, in the velocity form:
/// for the sentences of the report, and to solve rows again.
Options as_the_plug_in(Options options, const std::string& scene) {
  options.problem = scene;
  options.program = "impulse-threshold";
  options.threshold = 0.0F;
  options.friction = "skip";
  options.start = "warm";
  options.row_profile = true;
  return options;
}

ShapeMesh mesh_of(const scenes::Shape& shape) {
  switch (shape.kind) {
    case scenes::ShapeKind::kSphere:
      return sphere_mesh(shape.radius);
    case scenes::ShapeKind::kCapsule:
      return capsule_mesh(shape.radius, shape.height);
    default:
      return box_mesh(shape.half_extents);
  }
}

/// What a solve of the driver's would have said of the solves of a frame.
SolveResult result_of(const SolveResult& device, SolvedRows& solved) {
  const BulletReport& report = solved.report;
  SolveResult result = device;
  std::copy(report.counters.begin(), report.counters.end(), result.report.run.counters);
  std::copy(report.device_counters.begin(), report.device_counters.end(),
            result.report.device_counters);
  result.report.runs = static_cast<std::uint32_t>(report.runs);
  result.report.sweeps = static_cast<std::uint32_t>(report.sweeps);
  result.report.upload_cycles = report.upload_cycles;
  result.report.run_cycles = report.run_cycles;
  result.report.download_cycles = report.download_cycles;
  result.report.load_cycles = report.load_cycles;
  result.report.device_cycles = report.device_cycles;
  result.report.engine_cycles = report.engine_cycles;
  result.report.plan_seconds = report.plan_seconds;
  // The plug-in makes the device's records itself, and takes the answer out of them.
  result.report.transfer_seconds =
      report.convert_seconds + report.transfer_seconds + report.write_back_seconds;
  result.report.overlap_seconds = report.overlap_seconds;
  result.report.device_seconds = report.device_seconds;
  result.solution.impulse = std::move(solved.profile.impulse);
  result.profile = std::move(solved.profile.cycles);
  return result;
}

}  // namespace

SceneReplay::SceneReplay(const SceneRecord& scene, const Options& solve, std::string command)
    : options_(as_the_plug_in(solve, scene.identity.name)), device_() {
  report_.scene = scene.identity.name;
  report_.description = scene.identity.description;
  report_.command = std::move(command);
  report_.against_cpu = true;
  report_.frame_seconds = static_cast<double>(scenes::kFrameSeconds);
  device_.device = scene.device;
  device_.config_toml = scene.config_toml;
  describe_device(options_, device_, &report_);
  add_shapes(scene);
}

void SceneReplay::add_shapes(const SceneRecord& scene) {
  std::map<std::tuple<scenes::ShapeKind, std::array<float, 3>, float, float>, std::size_t> known;
  for (const BodyRecord& body : scene.bodies) {
    const scenes::Shape& shape = body.shape;
    const auto [place, is_new] = known.try_emplace(
        {shape.kind, shape.half_extents, shape.radius, shape.height}, report_.shapes.size());
    if (is_new) report_.shapes.push_back(mesh_of(shape));
    report_.bodies.push_back({place->second, body.mass});
  }
}

ReplayFrame SceneReplay::frame_of_rows(SolvedRows solved) {
  const SolveResult result = result_of(device_, solved);
  describe_device(options_, result, &report_);
  const std::uint32_t sweeps = solved.rows.iterations;
  const model::RowProblem problem = problem_of(std::move(solved.rows));
  FrameDetail detail = detail_of(problem, options_, result, solved.scene_body);
  if (!solved.profile.one_run) {
    detail.row_of_slot.clear();
    detail.held_by.clear();
  }
  report_.rows.take(report_.frames.size(), detail);
  ReplayFrame frame =
      frame_of(problem, options_, result, detail, solved.scene_body, report_.bodies.size());
  frame.residuals = residuals_of(problem, options_, sweeps);
  return frame;
}

void SceneReplay::take_frame(const FrameRecord& frame, std::optional<SolvedRows> solved,
                             const std::vector<scenes::Pose>& cpu_poses) {
  ReplayFrame next = solved ? frame_of_rows(std::move(*solved)) : ReplayFrame();
  next.number = frame.frame;
  next.cpu_seconds = frame.cpu.iterations;
  next.poses = frame.poses;
  next.cpu_poses = cpu_poses;
  next.loads.resize(report_.bodies.size());
  if (report_.timed) next.stalls.resize(report_.stall_labels.size());
  report_.frames.push_back(std::move(next));
}

ReplayReport SceneReplay::finish() && {
  if (report_.timed) report_.bound = bound_of(report_);
  return std::move(report_);
}

ReplayReport replay_of_paths(const SceneOptions& scene, const Options& device,
                             std::uint32_t frames) {
  Options options;
  options.backend = "functional";
  options.config = device.config;
  options.overrides = device.overrides;
  SceneTwins twins(scene, options);
  SceneReplay replay(twins.start(), options, "");
  const Progress progress("steps " + scene.name + " through " + grouped(frames) + " frames");
  for (std::uint32_t frame = 0; frame < frames; ++frame) {
    replay.take_frame(twins.step(true), std::nullopt, {});
    if (twins.difference())
      throw CliError(kExitMismatch, scene.name + ": frame " + std::to_string(frame) +
                                        " differs between the CPU engine and the PPU, see ppu "
                                        "demo " +
                                        scene.name);
  }
  return std::move(replay).finish();
}

std::string demo_command(const SceneOptions& scene, const Options& solve, std::uint32_t frames,
                         const std::string& report_folder) {
  std::string command = "ppu demo " + scene.name + " --frames " + std::to_string(frames) +
                        " --seed " + std::to_string(scene.seed) + " --backend " + solve.backend +
                        " --config " + shell_word(solve.config);
  for (const std::string& text : solve.overrides) command += " --set " + shell_word(text);
  if (solve.order != default_order()) command += " --order " + solve.order;
  return command + " --report " + shell_word(report_folder);
}

}  // namespace ppu::sim
