// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Points, directions and poses in three dimensions, in double precision.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace ppu::model::distance {

using Vector3 = std::array<double, 3>;

inline Vector3 operator+(const Vector3& a, const Vector3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Vector3 operator-(const Vector3& a, const Vector3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Vector3 operator*(double s, const Vector3& a) {
  return {s * a[0], s * a[1], s * a[2]};
}
inline double dot(const Vector3& a, const Vector3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double length(const Vector3& a) {
  return std::sqrt(dot(a, a));
}

/// World = rotation * body + position; the rows of the rotation.
struct Pose {
  std::array<Vector3, 3> rotation{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Vector3 position{};

  [[nodiscard]] Vector3 turned(const Vector3& a) const {
    return {dot(rotation[0], a), dot(rotation[1], a), dot(rotation[2], a)};
  }
  [[nodiscard]] Vector3 at(const Vector3& a) const { return turned(a) + position; }
};

/// Of a rotation as a quaternion x, y, z, w, whose length must be 1 to 1e-3; none for others.
inline std::optional<Pose> pose_of(const Vector3& position, const std::array<double, 4>& rotation) {
  auto [x, y, z, w] = rotation;
  const double size = std::sqrt(x * x + y * y + z * z + w * w);
  if (!std::isfinite(size) || std::fabs(size - 1) > 1e-3) return std::nullopt;
  x /= size, y /= size, z /= size, w /= size;
  Pose pose;
  pose.position = position;
  pose.rotation = {{{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                    {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                    {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}}};
  return pose;
}

}  // namespace ppu::model::distance
