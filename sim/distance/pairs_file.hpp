// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Polyhedra and pairs from a JSON file:
//
//   {"polyhedra": [{"name": "a", "planes": [[nx, ny, nz, offset], ...]},
//                  {"vertices": [[x, y, z], ...], "position": [x, y, z],
//                   "rotation": [x, y, z, w]}],
//    "pairs": [[0, 1], ...]}
//
// Planes are half-spaces n . x <= offset; without "pairs" every polyhedron is compared with every
// other. Lengths in m, rotations as quaternions.
#pragma once

#include <string>
#include <vector>

#include "model/distance/distance.hpp"

namespace ppu::sim {

struct NamedPairs {
  std::vector<std::string> names;  ///< Of the polyhedra.
  std::vector<model::distance::Convex> shapes;
  std::vector<model::distance::Pair> pairs;
};

/// Throws CliError (usage) with file, item, what was found and what was expected.
NamedPairs read_pairs(const std::string& path);

}  // namespace ppu::sim
