// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Distances of polyhedra, for ppu._core.
#pragma once

#include "objects.hpp"

namespace ppu::python {

/// (shapes, pairs, threads, found). `shapes`: dicts of `planes` and `vertices`, arrays of which one
/// is None. `pairs`: arrays `number` (p x 2, uint32), `first_pose` and `second_pose` (p x 7,
/// float64). Writes into the arrays of `found`.
Object find_distances(const Object& arguments);

}  // namespace ppu::python
