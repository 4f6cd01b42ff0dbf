// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Pairs of polyhedra by number of faces and kind of place, for tests and measurements. Of all kinds
// but the random one the distance is known beforehand: it is the gap that the pair was placed at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/distance/distance.hpp"

namespace ppu::model::distance {

enum class Placement {
  kRandom,    ///< Anywhere within a few sizes of each other: apart or overlapping.
  kTouching,  ///< Gap 0: vertex on vertex, vertex on face and face on face, in turn.
  kParallel,  ///< A face parallel to a face, above each other, gap 0.01 to 1 m.
  kNear       ///< As touching, but with a gap of 1e-9 to 1e-3 m.
};
const std::vector<std::string>& placement_names();

struct GeneratedPairs {
  std::vector<Convex> shapes;
  std::vector<Pair> pairs;
  std::vector<double> gap;  ///< m; NaN where it is not known.
};

/// `count` pairs of polyhedra with `faces` faces (4 to kMaxFaces), the same ones on every machine
/// for the same seed. Polyhedra touch a sphere of radius 1 with all faces, then are stretched by
/// 0.5 to 1.5 m along their axes; those of 6 faces are boxes.
GeneratedPairs generate_pairs(std::size_t faces, Placement placement, std::size_t count,
                              std::uint64_t seed);

}  // namespace ppu::model::distance
