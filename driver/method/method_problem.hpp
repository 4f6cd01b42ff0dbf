// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A row problem of the C API as the methods take it, and back.
#pragma once

#include "model/problem/row_problem.hpp"
#include "ppu/ppu.h"

namespace ppu::driver {

/// A copy, checked. Throws Failure for what the solver helper refuses, for the impulse form, and
/// where masses are missing.
model::RowProblem row_problem_of(const ppu_problem& problem, ppu_start start);

/// The problem as the solver helper takes it; valid as long as `problem` is.
ppu_problem view_of(const model::RowProblem& problem);

}  // namespace ppu::driver
