// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The options that the commands with a scene share.
#pragma once

#include <cstdint>
#include <string>

#include "sim/cli/command.hpp"

namespace ppu::sim {

inline constexpr std::uint32_t kMostFrames = 1000000;

struct SceneOptions {
  std::string name;
  std::uint32_t seed = 1;
};

/// SCENE, one of the names of scenes; as a word of its own, or after an option of that name.
Option add_scene_option(Command command, SceneOptions& options, const std::string& name = "scene");
/// --frames, at least one.
Option add_frames_option(Command command, std::uint32_t& frames);
/// --seed.
Option add_seed_option(Command command, SceneOptions& options);
/// --frame: the one after so many steps.
Option add_frame_option(Command command, std::uint32_t& frame, const std::string& help);

}  // namespace ppu::sim
