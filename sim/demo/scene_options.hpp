// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The options that the commands with a scene share.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace ppu::sim {

inline constexpr std::uint32_t kMostFrames = 1000000;

struct SceneOptions {
  std::string name;
  std::uint32_t seed = 1;
};

/// SCENE, one of the names of scenes; as a word of its own, or after an option of that name.
CLI::Option* add_scene_option(CLI::App& command, SceneOptions& options,
                              const std::string& name = "scene");
/// --frames, at least one.
CLI::Option* add_frames_option(CLI::App& command, std::uint32_t& frames);
/// --seed.
CLI::Option* add_seed_option(CLI::App& command, SceneOptions& options);
/// --frame: the one after so many steps.
CLI::Option* add_frame_option(CLI::App& command, std::uint32_t& frame, const std::string& help);

}  // namespace ppu::sim
