// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// --sweeps-of: kinds of rows as classes with sweeps of their own.
#pragma once

#include "model/problem/row_problem.hpp"
#include "ppu/ppu.h"
#include "sim/cli/options.hpp"

namespace ppu::sim {

/// Makes each kind of row a class of `def`. Throws CliError (usage) for a text that is not
/// "joint=20,contact=10,friction=10" or part of it, and where the rows of a kind do not follow one
/// another.
void set_classes(const model::RowProblem& problem, const Options& options, ppu_solve_def* def);

}  // namespace ppu::sim
