// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Scenes by name.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/scenes/scene.hpp"

namespace ppu::scenes {

/// Every name that make_scene() takes.
const std::vector<std::string>& scene_names();

/// Builds the scene in a world of its own, whose constraints `solver` solves. Scenes of the same
/// name and seed are the same bit for bit. Throws std::invalid_argument for a name that is none.
std::unique_ptr<Scene> make_scene(const std::string& name, std::uint64_t seed, SolverPtr solver);

}  // namespace ppu::scenes
