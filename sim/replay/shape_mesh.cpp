// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Triangles of the shapes that bodies have.
#include "sim/replay/shape_mesh.hpp"

#include <cmath>

#include "sim/base/text.hpp"

namespace ppu::sim {
namespace {

constexpr int kSlices = 28;  ///< Around a sphere.
constexpr int kStacks = 14;  ///< From pole to pole; even, so that a capsule has an equator.
constexpr double kPi = 3.14159265358979323846;

/// 0.5 rather than 0.50.
std::string metres(float value) {
  std::string text = fixed(static_cast<double>(value), 3);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

void add_vertex(ShapeMesh& mesh, const std::array<float, 3>& position,
                const std::array<float, 3>& normal) {
  mesh.positions.insert(mesh.positions.end(), position.begin(), position.end());
  mesh.normals.insert(mesh.normals.end(), normal.begin(), normal.end());
}

void add_quad(ShapeMesh& mesh, std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
  for (const std::size_t index : {a, b, c, a, c, d})
    mesh.indices.push_back(static_cast<std::uint16_t>(index));
}

/// Rings of vertices from the top pole to the bottom one; the upper half is lifted by half of
/// `height`, the lower one lowered.
ShapeMesh rounded(float radius, float height) {
  ShapeMesh mesh;
  const auto ring = [&](int stack, float lift) {
    const double polar = kPi * stack / kStacks;
    for (int slice = 0; slice <= kSlices; ++slice) {
      const double around = 2 * kPi * slice / kSlices;
      const std::array<float, 3> normal = {static_cast<float>(std::sin(polar) * std::cos(around)),
                                           static_cast<float>(std::cos(polar)),
                                           static_cast<float>(-std::sin(polar) * std::sin(around))};
      add_vertex(mesh, {radius * normal[0], radius * normal[1] + lift, radius * normal[2]}, normal);
    }
  };
  for (int stack = 0; stack <= kStacks / 2; ++stack) ring(stack, height / 2);
  for (int stack = kStacks / 2 + (height > 0 ? 0 : 1); stack <= kStacks; ++stack)
    ring(stack, -height / 2);
  constexpr std::size_t kRing = kSlices + 1;
  const std::size_t rings = mesh.positions.size() / 3 / kRing;
  for (std::size_t upper = 0; upper + 1 < rings; ++upper) {
    for (std::size_t slice = 0; slice + 1 < kRing; ++slice) {
      const std::size_t top = upper * kRing + slice;
      add_quad(mesh, top, top + kRing, top + kRing + 1, top + 1);
    }
  }
  return mesh;
}

}  // namespace

ShapeMesh box_mesh(const std::array<float, 3>& half_extents) {
  ShapeMesh mesh;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t u = (axis + 1) % 3;
    const std::size_t v = (axis + 2) % 3;
    for (const float side : {1.0F, -1.0F}) {
      const std::size_t first = mesh.positions.size() / 3;
      // Around the face, turning the other way on the far side.
      for (const auto& [a, b] : {std::pair(-1.0F, -1.0F), std::pair(1.0F, -1.0F),
                                 std::pair(1.0F, 1.0F), std::pair(-1.0F, 1.0F)}) {
        std::array<float, 3> position{};
        std::array<float, 3> normal{};
        position[axis] = side * half_extents[axis];
        position[u] = a * side * half_extents[u];
        position[v] = b * half_extents[v];
        normal[axis] = side;
        add_vertex(mesh, position, normal);
      }
      add_quad(mesh, first, first + 1, first + 2, first + 3);
    }
  }
  mesh.kind = "box";
  mesh.name = "box " + metres(2 * half_extents[0]) + " x " + metres(2 * half_extents[1]) + " x " +
              metres(2 * half_extents[2]) + " m";
  return mesh;
}

ShapeMesh sphere_mesh(float radius) {
  ShapeMesh mesh = rounded(radius, 0);
  mesh.kind = "sphere";
  mesh.name = "sphere, radius " + metres(radius) + " m";
  return mesh;
}

ShapeMesh capsule_mesh(float radius, float height) {
  ShapeMesh mesh = rounded(radius, height);
  mesh.kind = "capsule";
  mesh.name = "capsule, radius " + metres(radius) + " m, height " + metres(height) + " m";
  return mesh;
}

}  // namespace ppu::sim
