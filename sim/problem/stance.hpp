// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A robot that stands on four legs, as a row problem: the island that a controller's simulation has
// to solve at thousands of frames per second.
#pragma once

#include "model/problem/row_problem.hpp"

namespace ppu::sim {

/// A trunk, four legs and 24 rows. Each leg hangs on the trunk by a ball joint (three rows) and
/// stands on the ground with one contact (a normal row and two friction rows, one after the other).
/// One frame of 1/60 s: gravity pulls, and the trunk has been pushed forward. Cold: x0 = 0. The
/// same numbers on every machine.
model::RowProblem make_stance();

}  // namespace ppu::sim
