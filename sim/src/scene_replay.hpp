// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The replay of a scene that runs on the PPU.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frame_record.hpp"
#include "options.hpp"
#include "ppu/bullet.h"
#include "replay_data.hpp"
#include "run.hpp"
#include "scene_options.hpp"

namespace ppu::sim {

/// Takes the rows of each frame, then the frame. A world hands its rows to the solver in one group.
/// The plug-in keeps no cycles of single rows, so the rows are solved once more, by the same
/// program on a device of the same kind: same bits, same cycles. Rolling friction, which has a
/// program of the plug-in's own, is solved as plain friction.
class SceneReplay {
 public:
  /// `solve` names the back end and its configuration; `command` repeats the run.
  SceneReplay(const SceneRecord& scene, const Options& solve, std::string command);

  /// `scene_body` is the body of the scene for each body of the rows.
  void take_rows(BulletRows rows, const std::vector<std::int32_t>& scene_body);
  /// `cpu_poses`: those with the CPU engine, empty if they are the same. Throws what Solver does.
  void take_frame(const FrameRecord& frame, const std::vector<scenes::Pose>& cpu_poses);
  [[nodiscard]] ReplayReport finish() &&;

 private:
  void add_shapes(const SceneRecord& scene);

  Options options_;
  Solver solver_;
  ReplayReport report_;
  ReplayFrame next_;  ///< What is known of the frame that is being stepped.
};

/// The paths of all bodies in the first `frames` frames, without what the device does in them. The
/// PPU is the functional back end in the configuration of `device`. Throws CliError (mismatch) if
/// the CPU engine has other paths.
ReplayReport replay_of_paths(const SceneOptions& scene, const Options& device,
                             std::uint32_t frames);

/// The command that runs a demo again.
std::string demo_command(const SceneOptions& scene, const Options& solve, std::uint32_t frames,
                         const std::string& report_folder);

}  // namespace ppu::sim
