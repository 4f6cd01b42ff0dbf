// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Frames of a scene as row problems.
#include "sim/demo/scene_problem.hpp"

#include <cstdio>
#include <optional>
#include <utility>

#include "sim/base/cli_error.hpp"
#include "sim/scenes/registry.hpp"

namespace ppu::sim {
namespace {

void describe(const scenes::SceneIdentity& scene, std::uint32_t frame, model::RowProblem& problem) {
  char number[16];
  std::snprintf(number, sizeof number, "_f%03u", frame);
  problem.name = scene.name + number;
  problem.scene = scene.family;
  problem.params = scene.params;
  problem.seed = static_cast<std::int64_t>(scene.seed);
  problem.frame = frame;
  problem.engine = "Bullet " + std::to_string(BT_BULLET_VERSION / 100) + "." +
                   std::to_string(BT_BULLET_VERSION % 100) +
                   " btSequentialImpulseConstraintSolver (float32, scalar rows)";
  problem.row_order = "joints, all normals, all frictions";
  problem.dt = 1.0 / 60;
}

}  // namespace

model::RowProblem problem_of(BulletRows rows) {
  model::RowProblem problem;
  for (const BulletRowKind kind : rows.kind)
    problem.kind.push_back(static_cast<model::RowKind>(kind));
  problem.body = std::move(rows.body);
  problem.parent = std::move(rows.parent);
  problem.jacobian = std::move(rows.jacobian);
  problem.inv_mass_jacobian = std::move(rows.inv_mass_jacobian);
  problem.rate_bias = std::move(rows.rate_bias);
  problem.inv_diagonal = std::move(rows.inv_diagonal);
  problem.lower = std::move(rows.lower);
  problem.upper = std::move(rows.upper);
  problem.friction = std::move(rows.friction);
  problem.compliance = std::move(rows.compliance);
  problem.impulse = std::move(rows.impulse);
  problem.velocity_change = std::move(rows.velocity_change);
  problem.velocity_free = std::move(rows.velocity_free);
  problem.position = std::move(rows.position);
  problem.inv_mass = std::move(rows.inv_mass);
  problem.inv_inertia = std::move(rows.inv_inertia);
  return problem;
}

SceneFrames::SceneFrames(const std::string& scene, std::uint64_t seed) {
  auto solver = std::make_unique<BulletRowRecorder>(nullptr);
  recorder_ = solver.get();
  scene_ = scenes::make_scene(scene, seed, std::move(solver));
}

void SceneFrames::settle(int iterations) {
  btContactSolverInfo& info = scene_->world().getSolverInfo();
  info.m_numIterations = iterations;
  info.m_warmstartingFactor = 1;
  info.m_solverMode |= SOLVER_ENABLE_FRICTION_DIRECTION_CACHING;
}

model::RowProblem SceneFrames::record() {
  const std::uint32_t frame = scene_->frame();
  std::optional<BulletRows> before, after;
  recorder_->observe([&before](const BulletRows& rows) { before = rows; },
                     [&after](const BulletRows& rows) { after = rows; });
  scene_->step();
  recorder_->observe(nullptr, nullptr);
  if (!before)
    throw CliError(kExitUsage,
                   scene_->identity().name + ": frame " + std::to_string(frame) + " has no rows");
  bodies_ = before->rigid_body;
  model::RowProblem problem = problem_of(std::move(*before));
  describe(scene_->identity(), frame, problem);
  problem.reference.emplace();
  problem.reference->impulse = std::move(after->impulse);
  problem.reference->velocity_change = std::move(after->velocity_change);
  problem.reference->sweeps = static_cast<int>(after->iterations);
  problem.reference->start = "warm";
  problem.reference->friction_rule = "skip";
  return problem;
}

model::RowProblem scene_problem(const std::string& name, std::uint64_t seed, std::uint32_t frame) {
  SceneFrames frames(name, seed);
  while (frames.frame() < frame) frames.step();
  return frames.record();
}

}  // namespace ppu::sim
