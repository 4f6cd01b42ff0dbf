// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// How bodies stand and move: to be drawn, and to be compared between two worlds bit for bit.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "sim/scenes/scene.hpp"

namespace ppu::scenes {

/// Where a body is.
struct Pose {
  std::array<float, 3> position;  ///< In m.
  std::array<float, 4> rotation;  ///< A unit quaternion x, y, z, w.

  friend bool operator!=(const Pose& a, const Pose& b) {
    return a.position != b.position || a.rotation != b.rotation;
  }
};
Pose pose_of(const btRigidBody& body);

/// Position, rotation matrix by rows, linear velocity, angular velocity: all that a step keeps of a
/// body.
using BodyState = std::array<float, 18>;
BodyState state_of(const btRigidBody& body);

/// A number of a body that has other bits in two worlds.
struct Difference {
  std::size_t body;    ///< In Scene::bodies().
  std::size_t number;  ///< In its BodyState.
  float a, b;

  /// "body 17, velocity y: 0.5 (0x3f000000) and 0.25 (0x3e800000)".
  [[nodiscard]] std::string str() const;
};

/// The first difference of two scenes with the same bodies; none if all bits are equal.
std::optional<Difference> first_difference(const Scene& a, const Scene& b);

}  // namespace ppu::scenes
