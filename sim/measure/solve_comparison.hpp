// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Runs of one problem on two back ends, compared.
#pragma once

#include <string>
#include <vector>

#include "sim/solve/solver.hpp"

namespace ppu::sim {

/// What differs in state, sweeps and row updates, and in cycles where both have time, a line each.
std::vector<std::string> differences(const std::string& name_a, const SolveResult& a,
                                     const std::string& name_b, const SolveResult& b);

}  // namespace ppu::sim
