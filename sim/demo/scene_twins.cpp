// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A scene twice, step by step.
#include "sim/demo/scene_twins.hpp"

#include <chrono>
#include <unordered_map>
#include <utility>

#include "sim/problem/islands.hpp"
#include "sim/problem/problem.hpp"
#include "sim/scenes/registry.hpp"
#include "sim/solve/solver.hpp"

namespace ppu::sim {

/// What the two solvers leave of a step.
struct SceneTwins::Measured {
  std::uint64_t islands = 0;
  BulletReport report;
  bool keeps_rows = false;
  std::optional<SolvedRows> rows;

  void start_step() {
    islands = 0;
    report = {};
    rows.reset();
  }
};

namespace {

std::vector<scenes::Pose> poses_of(const scenes::Scene& scene) {
  std::vector<scenes::Pose> poses;
  for (const scenes::SceneBody& body : scene.bodies()) poses.push_back(scenes::pose_of(*body.body));
  return poses;
}

/// The places in the scene of the bodies that rows name.
std::vector<std::int32_t> places_of(const BulletRows& rows, const scenes::Scene& scene) {
  std::unordered_map<const btRigidBody*, std::int32_t> place;
  for (const scenes::SceneBody& body : scene.bodies())
    place.emplace(body.body, static_cast<std::int32_t>(place.size()));
  std::vector<std::int32_t> places;
  for (const btRigidBody* body : rows.rigid_body) places.push_back(place.at(body));
  return places;
}

HostShare host_share(const BulletReport& report) {
  return {report.seconds,
          report.set_up_seconds,
          report.convert_seconds,
          report.plan_seconds,
          report.transfer_seconds,
          report.device_seconds,
          report.write_back_seconds,
          report.finish_seconds,
          report.overlap_seconds};
}

}  // namespace

SceneTwins::SceneTwins(const SceneOptions& scene, const Options& options)
    : options_(options), device_(open_device(options)), measured_(std::make_unique<Measured>()) {
  auto cpu = std::make_unique<TimedBulletSolver>();
  cpu_solver_ = cpu.get();
  on_cpu_ = scenes::make_scene(scene.name, scene.seed, std::move(cpu));
  auto solver = std::make_unique<BulletConstraintSolver>(device_);
  solver_ = solver.get();
  solver->order(order_of(options));
  solver->on_refusal(BulletRefusal::kStep);
  // Scenes have all their islands solved in one group.
  solver->observe(
      [this](const BulletRows& rows, const BulletReport& report, const BulletProfile& profile) {
        measured_->islands = find_islands(rows.body, rows.parent, rows.body_count()).count;
        measured_->report = report;
        if (measured_->keeps_rows)
          measured_->rows = {rows, report, profile, places_of(rows, *on_ppu_)};
      });
  on_ppu_ = scenes::make_scene(scene.name, scene.seed, std::move(solver));
}

SceneTwins::~SceneTwins() = default;

SceneRecord SceneTwins::start() const {
  SceneRecord record;
  record.identity = on_cpu_->identity();
  record.backend = options_.backend;
  record.config = options_.config;
  record.device = device_.info();
  record.config_toml = device_.config();
  for (const scenes::SceneBody& body : on_cpu_->bodies())
    record.bodies.push_back({body.shape, body.mass});
  return record;
}

FrameRecord SceneTwins::step(bool poses) {
  using Clock = std::chrono::steady_clock;
  measured_->start_step();
  FrameRecord frame;
  frame.frame = on_cpu_->frame();
  cpu_solver_->start_step();
  on_cpu_->step();
  const auto begin = Clock::now();
  on_ppu_->step();
  frame.simulation_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  frame.rows = measured_->report.rows;
  frame.islands = measured_->islands;
  frame.sweeps = measured_->report.sweeps;
  frame.device_cycles = measured_->report.device_cycles;
  frame.upload_cycles = measured_->report.upload_cycles;
  frame.run_cycles = measured_->report.run_cycles;
  frame.read_back_cycles = measured_->report.download_cycles;
  frame.cpu = cpu_solver_->parts();
  frame.host = host_share(measured_->report);
  if (poses) frame.poses = poses_of(*on_ppu_);
  return frame;
}

void SceneTwins::keep_rows() {
  measured_->keeps_rows = true;
  solver_->profile_rows(true);
}

std::optional<SolvedRows> SceneTwins::take_rows() {
  return std::exchange(measured_->rows, std::nullopt);
}

std::vector<scenes::Pose> SceneTwins::cpu_poses() const {
  return poses_of(*on_cpu_);
}

std::optional<scenes::Difference> SceneTwins::difference() const {
  return scenes::first_difference(*on_cpu_, *on_ppu_);
}

}  // namespace ppu::sim
