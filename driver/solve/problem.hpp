// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A row problem from the caller: refused with a sentence naming row and array unless it can be run.
#pragma once

#include <cstddef>

#include "driver/plan/row_graph.hpp"
#include "ppu/ppu.h"

namespace ppu::driver {

/// Bodies and parents, checked. Throws Failure (PPU_ERROR_INVALID_ARGUMENT for a null array,
/// PPU_ERROR_PROBLEM).
RowGraph graph_of(const ppu_problem& problem);

/// Every number that a solve from `start` reads: finite (bounds may be infinite), lo <= hi, mu >=
/// 0; masses are checked by MassScaling. The graph is checked before. Throws Failure.
void check_numbers(const ppu_problem& problem, ppu_start start);
/// Refuses numbers that are not finite, or a missing array; `width` of them per `item`.
void check_finite(const float* array, const char* name, const char* item, std::size_t count,
                  std::size_t width);

}  // namespace ppu::driver
