// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Distances of convex polyhedra, for callers of the C API.
#pragma once

#include <cstdint>

#include "ppu/methods.h"

namespace ppu::driver {

/// ppu_distances() with checked pointers. Throws Failure.
void find_distances(const ppu_polyhedron* polyhedra, std::uint32_t polyhedron_count,
                    const ppu_pair* pairs, std::uint32_t pair_count, std::uint32_t threads,
                    ppu_distance* distances);

}  // namespace ppu::driver
