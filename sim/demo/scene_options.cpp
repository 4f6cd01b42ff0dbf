// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The options that the commands with a scene share.
#include "sim/demo/scene_options.hpp"

#include <algorithm>

#include "sim/base/text.hpp"
#include "sim/scenes/registry.hpp"

namespace ppu::sim {

Option add_scene_option(Command command, SceneOptions& options, const std::string& name) {
  const std::string names = joined(scenes::scene_names());
  const auto check = [names](std::string& text) {
    const std::vector<std::string>& known = scenes::scene_names();
    const bool found = std::find(known.begin(), known.end(), text) != known.end();
    return found ? std::string() : "unknown scene '" + text + "', expected one of " + names;
  };
  return command.add_option(name, options.name, "Scene: " + names).check({check, ""});
}

Option add_frames_option(Command command, std::uint32_t& frames) {
  return command.add_option("--frames", frames, "Frames of 1/60 s to step")
      .capture_default_str()
      .check(in_range(1U, kMostFrames));
}

Option add_seed_option(Command command, SceneOptions& options) {
  return command.add_option("--seed", options.seed, "Seed of the scene").capture_default_str();
}

Option add_frame_option(Command command, std::uint32_t& frame, const std::string& help) {
  return command.add_option("--frame", frame, help + ": the one after so many steps")
      .check(in_range(0U, kMostFrames));
}

}  // namespace ppu::sim
