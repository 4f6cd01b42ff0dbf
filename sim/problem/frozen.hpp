// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Problems whose friction bounds stand still.
#pragma once

#include <string>

#include "model/problem/row_problem.hpp"

namespace ppu::sim {

/// A true boxed LCP: the bounds of friction rows fixed at mu times the parent's impulse in the
/// file's /reference, else in its /solution; nothing has a parent. Throws CliError (usage) if the
/// file has neither. `name` stands for the file in messages.
model::RowProblem frozen(const model::RowProblem& problem, const std::string& name);

}  // namespace ppu::sim
