// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The replay of a scene that runs on the PPU.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/demo/frame_record.hpp"
#include "sim/demo/scene_options.hpp"
#include "sim/demo/scene_twins.hpp"
#include "sim/replay/replay_data.hpp"
#include "sim/solve/options.hpp"
#include "sim/solve/solver.hpp"

namespace ppu::sim {

/// Takes what the plug-in says of each frame. Only the residuals per sweep are of another solve:
/// the rows in the velocity form, whose impulses are near Bullet's, not the same.
class SceneReplay {
 public:
  /// `solve` names the back end and its configuration; `command` repeats the run.
  SceneReplay(const SceneRecord& scene, const Options& solve, std::string command);

  /// `solved`: none if the frame had no rows, or if only the paths are wanted. `cpu_poses`: those
  /// with the CPU engine, empty if they are the same. Throws what Solver does.
  void take_frame(const FrameRecord& frame, std::optional<SolvedRows> solved,
                  const std::vector<scenes::Pose>& cpu_poses);
  [[nodiscard]] ReplayReport finish() &&;

 private:
  void add_shapes(const SceneRecord& scene);
  ReplayFrame frame_of_rows(SolvedRows solved);

  Options options_;
  SolveResult device_;  ///< A run that did nothing, on the device.
  ReplayReport report_;
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
