// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Convex polyhedra, by their faces and by their vertices: the first is what the complementarity
// problem of a distance is made of, the second what GJK takes.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/distance/vector3.hpp"

namespace ppu::model::distance {

/// Not a polyhedron. `what()` is one sentence: the item, what was found, what was expected.
class ConvexError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The half-space normal . x <= offset, |normal| = 1, offset in m.
struct Plane {
  Vector3 normal;
  double offset;
};

/// The most that one polyhedron may have.
inline constexpr std::size_t kMaxFaces = 256;
inline constexpr std::size_t kMaxVertices = 256;

struct Convex {
  std::vector<Plane> faces;
  std::vector<Vector3> vertices;  ///< m.
  double radius = 0;              ///< Of a sphere around the origin that holds all of it, m.
};

/// What all of the half-spaces hold; normals may have any length but 0. Throws ConvexError for
/// numbers that are not finite, for less than 4 half-spaces or more than kMaxFaces, and where they
/// hold no volume or one without end.
Convex convex_of_planes(std::vector<Plane> planes);

/// The convex hull of points, a face for each of its planes. Throws ConvexError for numbers that
/// are not finite, for less than 4 points or more than kMaxVertices, and where all of them lie in
/// one plane.
Convex convex_of_points(const std::vector<Vector3>& points);

/// The vertices of `convex` that lie on its face number `face`.
std::vector<Vector3> vertices_of_face(const Convex& convex, std::size_t face);

/// max over the vertices of direction . x.
double support(const std::vector<Vector3>& vertices, const Vector3& direction);

}  // namespace ppu::model::distance
