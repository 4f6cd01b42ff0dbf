// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A scene twice, step by step: on Bullet's own solver, and on the PPU.
#pragma once

#include <memory>
#include <optional>

#include "frame_record.hpp"
#include "options.hpp"
#include "ppu/ppu.hpp"
#include "scene_options.hpp"
#include "scenes/scene.hpp"

namespace ppu::sim {

class SceneRun {
 public:
  /// Opens the back end and builds both worlds. Throws ppu::Error for what the driver refuses.
  SceneRun(const SceneOptions& scene, const Options& options);
  ~SceneRun();
  SceneRun(const SceneRun&) = delete;
  SceneRun& operator=(const SceneRun&) = delete;

  /// What is known before the first frame.
  [[nodiscard]] SceneRecord start() const;
  /// One frame of both worlds; with the poses of all bodies if they are asked for. Throws
  /// BulletUnsupported and ppu::Error as the solver does.
  FrameRecord step(bool poses);
  /// What differs between the worlds now.
  [[nodiscard]] std::optional<scenes::Difference> difference() const;

 private:
  struct Measured;

  Options options_;
  Device device_;
  std::unique_ptr<Measured> measured_;
  std::unique_ptr<scenes::Scene> on_cpu_;
  std::unique_ptr<scenes::Scene> on_ppu_;
};

}  // namespace ppu::sim
