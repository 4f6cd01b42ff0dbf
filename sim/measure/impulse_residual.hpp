// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// How far impulses are from a solution.
#pragma once

#include <vector>

#include "model/problem/row_problem.hpp"

namespace ppu::sim {

/// Largest violation of the boxing conditions over all rows, in double precision: the true residual
/// of the impulses, with the velocities that they make summed anew, so that what rounding has
/// piled up in the device's velocities counts as well.
double residual_of_impulses(const model::RowProblem& problem, const std::vector<float>& impulse);

}  // namespace ppu::sim
