// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What each scene's file gives to the registry.
#pragma once

#include "sim/scenes/scene.hpp"

namespace ppu::scenes {

using Factory = std::unique_ptr<Scene> (*)(std::uint64_t seed, SolverPtr solver);

std::unique_ptr<Scene> make_ball(std::uint64_t seed, SolverPtr solver);
std::unique_ptr<Scene> make_bridge(std::uint64_t seed, SolverPtr solver);
std::unique_ptr<Scene> make_massratio(std::uint64_t seed, SolverPtr solver);
std::unique_ptr<Scene> make_pile(std::uint64_t seed, SolverPtr solver);
std::unique_ptr<Scene> make_ragdoll(std::uint64_t seed, SolverPtr solver);
std::unique_ptr<Scene> make_topple(std::uint64_t seed, SolverPtr solver);
std::unique_ptr<Scene> make_wall10(std::uint64_t seed, SolverPtr solver);
std::unique_ptr<Scene> make_wall32(std::uint64_t seed, SolverPtr solver);

}  // namespace ppu::scenes
