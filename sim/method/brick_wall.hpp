// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Walls of bricks of any size as boxed problems, for studies of how methods grow.
#pragma once

#include <cstddef>
#include <string>

#include "model/problem/row_problem.hpp"

namespace ppu::sim {

/// `height` courses of `width` bricks of 1 kg, each on the two below it, at rest but for up to 0.05
/// m/s in any direction, one step of 1/60 s after gravity was switched on. Four points to each face
/// that touches, three rows to a point; friction has fixed bounds, half of the weight above. A
/// compliance of 1e-5 /kg makes the matrix positive definite. The same on every machine.
model::RowProblem brick_wall(std::size_t width, std::size_t height);

/// The same by a word of --walls, "WIDTHxHEIGHT". Throws CliError (usage).
model::RowProblem brick_wall(const std::string& word);

}  // namespace ppu::sim
