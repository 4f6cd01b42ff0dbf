// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu demo SCENE`: a scene on the CPU engine and on the PPU side by side, compared in every frame.
#pragma once

#include "sim/base/cli_error.hpp"
#include "sim/demo/scene_options.hpp"
#include "sim/demo/scene_twins.hpp"
#include "sim/solve/options.hpp"

namespace ppu::sim {

struct SceneDemo {
  SceneOptions scene;
  Options solve;
  std::uint32_t frames = 300;
  std::uint32_t every = 0;    ///< Frames between two lines; 0: ten lines in all.
  std::string report_folder;  ///< Of report.html; empty: none.
  std::string glb;            ///< Path of the replay as glTF; empty: none.
};

/// Runs, prints and publishes; kExitMismatch where the worlds differ. Throws what SceneTwins and
/// check_outputs() throw.
ExitCode run_scene_demo(const SceneDemo& demo);
/// The same with a run that has been made for it.
ExitCode run_scene_demo(const SceneDemo& demo, SceneTwins& twins);

}  // namespace ppu::sim
