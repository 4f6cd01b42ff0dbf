// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A frame of a scene as a row problem.
#pragma once

#include <cstdint>
#include <string>

#include "model/problem/row_problem.hpp"
#include "ppu/bullet.h"

namespace ppu::sim {

/// The rows alone, without who they are of.
model::RowProblem problem_of(BulletRows rows);

/// Steps the scene `frame` times on the CPU engine and takes the rows of the next step, after
/// set-up and warm start and before the first iteration; the reference is what the engine made of
/// them. Throws CliError (usage) if that step has no rows.
model::RowProblem scene_problem(const std::string& scene, std::uint64_t seed, std::uint32_t frame);

}  // namespace ppu::sim
