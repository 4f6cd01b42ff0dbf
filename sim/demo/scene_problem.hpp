// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Frames of a scene as row problems.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/problem/row_problem.hpp"
#include "ppu/bullet.h"
#include "sim/scenes/scene.hpp"

namespace ppu::sim {

/// The rows alone, without who they are of.
model::RowProblem problem_of(BulletRows rows);

/// A scene on the CPU engine, frame by frame.
class SceneFrames {
 public:
  SceneFrames(const std::string& scene, std::uint64_t seed);

  /// Frames stepped so far.
  [[nodiscard]] std::uint32_t frame() const { return scene_->frame(); }
  void step() { scene_->step(); }
  /// Lets things come to rest in the frames that come: so many iterations of the engine in place of
  /// Bullet's own 10, the whole impulse of a contact handed on to the next frame in place of 85 %,
  /// and friction along the directions of the frame before.
  void settle(int iterations);
  /// Steps, and takes the rows of that step, after set-up and warm start and before the first
  /// iteration; the reference is what the engine made of them. Throws CliError (usage) if that step
  /// has no rows.
  model::RowProblem record();
  /// The bodies of the problem that was recorded last.
  [[nodiscard]] const std::vector<const btRigidBody*>& bodies() const { return bodies_; }

 private:
  BulletRowRecorder* recorder_;
  std::unique_ptr<scenes::Scene> scene_;
  std::vector<const btRigidBody*> bodies_;
};

/// Steps the scene `frame` times and records the next step, see SceneFrames::record().
model::RowProblem scene_problem(const std::string& scene, std::uint64_t seed, std::uint32_t frame);

}  // namespace ppu::sim
