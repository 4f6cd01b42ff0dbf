// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A row problem from the caller: refused with a sentence naming row and array unless it can be run.
#pragma once

#include "ppu/ppu.h"
#include "row_graph.hpp"

namespace ppu::driver {

/// Bodies and parents, checked. Throws Failure (PPU_ERROR_INVALID_ARGUMENT for a null array,
/// PPU_ERROR_PROBLEM).
RowGraph graph_of(const ppu_problem& problem);

/// Every number that a solve from `start` reads: finite (bounds may be infinite), lo <= hi, mu >=
/// 0. The graph is checked before. Throws Failure.
void check_numbers(const ppu_problem& problem, ppu_start start);

}  // namespace ppu::driver
