// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row problems that the parity workloads make themselves: the same numbers on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "model/problem/row_problem.hpp"
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

/// Rows between any two bodies, or a body and the world, or the world alone; friction rows whose
/// parent is any row before, mostly of other bodies.
model::RowProblem make_tangle(std::uint32_t rows, std::uint32_t bodies, std::uint32_t seed);

/// A problem without rows and bodies.
model::RowProblem make_nothing();

/// How rows are handed to the device.
struct RowLayout {
  std::vector<std::uint32_t> row_of_slot = {};  ///< Empty: the problem's order.
  bool impulse_form = false;                    ///< Scaled for programs of the impulse form.
  std::uint32_t body_stride = 1;                ///< Body b is body b * stride of the device.
};
std::vector<ppu_row> device_rows(const model::RowProblem& problem, const RowLayout& layout);

}  // namespace ppu::sim
