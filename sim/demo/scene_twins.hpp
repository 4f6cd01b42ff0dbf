// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A scene twice, step by step: on Bullet's own solver, and on the PPU.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ppu/bullet.h"
#include "ppu/ppu.hpp"
#include "sim/demo/frame_record.hpp"
#include "sim/demo/scene_options.hpp"
#include "sim/scenes/scene.hpp"
#include "sim/solve/options.hpp"

namespace ppu::sim {

/// The rows that the PPU solved in a step, and what became of them.
struct SolvedRows {
  BulletRows rows;
  BulletReport report;
  BulletProfile profile;
  std::vector<std::int32_t> scene_body;  ///< Body of the scene for each body of the rows.
};

class SceneTwins {
 public:
  /// Opens the back end and builds both worlds. Throws ppu::Error for what the driver refuses.
  SceneTwins(const SceneOptions& scene, const Options& options);
  ~SceneTwins();
  SceneTwins(const SceneTwins&) = delete;
  SceneTwins& operator=(const SceneTwins&) = delete;

  /// What is known before the first frame.
  [[nodiscard]] SceneRecord start() const;
  /// One frame of both worlds; with the poses of all bodies if they are asked for. Throws
  /// BulletUnsupported and ppu::Error as the solver does.
  FrameRecord step(bool poses);
  /// Keeps the rows of each step from now on.
  void keep_rows();
  /// Those of the last step, once; none if it had no rows.
  [[nodiscard]] std::optional<SolvedRows> take_rows();
  /// Of all bodies of the CPU engine's world.
  [[nodiscard]] std::vector<scenes::Pose> cpu_poses() const;
  /// The world on the PPU, to do something to it between two steps.
  scenes::Scene& ppu_scene() { return *on_ppu_; }
  /// What differs between the worlds now.
  [[nodiscard]] std::optional<scenes::Difference> difference() const;

 private:
  struct Measured;

  Options options_;
  Device device_;
  std::unique_ptr<Measured> measured_;
  std::unique_ptr<scenes::Scene> on_cpu_;
  std::unique_ptr<scenes::Scene> on_ppu_;
  BulletConstraintSolver* solver_ = nullptr;  ///< Of `on_ppu_`.
};

}  // namespace ppu::sim
