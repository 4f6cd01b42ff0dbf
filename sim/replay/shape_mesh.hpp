// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Triangles of the shapes that bodies have, for the report's replay and for glTF.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ppu::sim {

/// Flat arrays; counter-clockwise from outside. Units: m, in the body's frame.
struct ShapeMesh {
  std::string name;              ///< "box 1 x 0.5 x 0.5 m".
  std::string kind;              ///< "box", "sphere" or "capsule".
  std::vector<float> positions;  ///< 3 per vertex.
  std::vector<float> normals;    ///< 3 per vertex.
  std::vector<std::uint16_t> indices;
};

ShapeMesh box_mesh(const std::array<float, 3>& half_extents);
ShapeMesh sphere_mesh(float radius);
/// Along y; `height` is that of the cylinder between the half spheres.
ShapeMesh capsule_mesh(float radius, float height);

}  // namespace ppu::sim
