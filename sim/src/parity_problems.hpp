// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row problems that the parity workloads make themselves: the same numbers on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "ppu/model/row_problem.hpp"
#include "ppu/ppu.h"

namespace ppu::sim {

/// Islands of contacts, each a chain of bodies. Islands have `min_rows` to `max_rows` rows, normals
/// with up to two friction rows each.
struct IslandsShape {
  std::uint32_t islands = 1;
  std::uint32_t min_rows = 1;
  std::uint32_t max_rows = 3;
  std::uint32_t seed = 1;
};
model::RowProblem make_islands(const IslandsShape& shape);

/// A problem without rows and bodies.
model::RowProblem make_nothing();

/// Records for the device, in the problem's order, scaled for programs of the rate form or of the
/// impulse form; body b is body b * `body_stride` of the device.
std::vector<ppu_row> device_rows(const model::RowProblem& problem, bool impulse_form = false,
                                 std::uint32_t body_stride = 1);

}  // namespace ppu::sim
