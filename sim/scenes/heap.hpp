// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A heap of any size, to be measured: no scene of the registry, but built as those are.
#pragma once

#include <cstdint>
#include <memory>

#include "sim/scenes/scene.hpp"

namespace ppu::scenes {

/// `boxes` boxes in a pit, at least one, kicked before every frame, so that the contacts of no two
/// frames are the same. The settings are Bullet's own: split impulses, one direction of friction.
std::unique_ptr<Scene> make_stirred_heap(int boxes, std::uint64_t seed, SolverPtr solver);

}  // namespace ppu::scenes
