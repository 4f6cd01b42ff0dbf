// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The replay of a scene that runs on the PPU.
#include "scene_replay.hpp"

#include <map>
#include <tuple>

#include "cli_error.hpp"
#include "command_line.hpp"
#include "progress.hpp"
#include "replay_record.hpp"
#include "scene_problem.hpp"
#include "scene_run.hpp"
#include "text.hpp"

namespace ppu::sim {
namespace {

/// How the plug-in has the device solve worlds with Bullet's own settings, which end the iterations
/// early at a residual of 0.
Options as_the_plug_in(Options options, const std::string& scene) {
  options.problem = scene;
  options.program = "impulse-threshold";
  options.threshold = 0.0F;
  options.order = "scheduled";
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

std::vector<Pose> poses_of(const std::vector<scenes::Pose>& poses) {
  std::vector<Pose> out;
  for (const scenes::Pose& pose : poses) out.push_back({pose.position, pose.rotation});
  return out;
}

}  // namespace

SceneReplay::SceneReplay(const SceneRecord& scene, const Options& solve, std::string command)
    : options_(as_the_plug_in(solve, scene.identity.name)), solver_(options_) {
  report_.scene = scene.identity.name;
  report_.description = scene.identity.description;
  report_.command = std::move(command);
  report_.against_cpu = true;
  report_.frame_seconds = static_cast<double>(scenes::kFrameSeconds);
  Run idle;
  idle.device = solver_.device().info();
  idle.config_toml = solver_.device().config();
  describe_device(options_, idle, &report_);
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

void SceneReplay::take_rows(BulletRows rows, const std::vector<std::int32_t>& scene_body) {
  const std::uint32_t sweeps = rows.iterations;
  const model::RowProblem problem = problem_of(std::move(rows));
  const Run run = solver_.solve(problem, sweeps);
  describe_device(options_, run, &report_);
  next_ = frame_of(problem, options_, run, scene_body, report_.bodies.size());
  next_.residuals = residuals_of(problem, options_, sweeps);
}

void SceneReplay::take_frame(const FrameRecord& frame, const std::vector<scenes::Pose>& cpu_poses) {
  next_.number = frame.frame;
  next_.cpu_seconds = frame.cpu_seconds;
  next_.poses = poses_of(frame.poses);
  next_.cpu_poses = poses_of(cpu_poses);
  next_.loads.resize(report_.bodies.size());
  if (report_.timed) next_.stalls.resize(report_.stall_labels.size());
  report_.frames.push_back(std::move(next_));
  next_ = {};
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
  SceneRun run(scene, options);
  SceneReplay replay(run.start(), options, "");
  const Progress progress("steps " + scene.name + " through " + grouped(frames) + " frames");
  for (std::uint32_t frame = 0; frame < frames; ++frame) {
    replay.take_frame(run.step(true), {});
    if (run.difference())
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
  return command + " --report " + shell_word(report_folder);
}

}  // namespace ppu::sim
