// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The random numbers of scenes: the same for a seed on every machine, since the standard fixes the
// generator and the arithmetic here is exact up to one rounding of a product and a sum.
#pragma once

#include <LinearMath/btQuaternion.h>
#include <LinearMath/btVector3.h>

#include <cstdint>
#include <random>

namespace ppu::scenes {

class Random {
 public:
  explicit Random(std::uint64_t seed) : generator_(seed) {}

  /// In [low, high).
  float uniform(float low, float high) {
    const float unit = static_cast<float>(generator_() >> 40U) * 0x1p-24F;
    return low + (high - low) * unit;
  }
  /// In a box around the origin; components are drawn in the order x, y, z.
  btVector3 within(const btVector3& half_extents) {
    btVector3 point;
    for (int axis = 0; axis < 3; ++axis)
      point[axis] = uniform(-half_extents[axis], half_extents[axis]);
    point[3] = 0;
    return point;
  }
  /// Any orientation, all alike probable: a point of the unit ball in four dimensions, scaled.
  btQuaternion orientation() {
    while (true) {
      btQuaternion turn;
      for (int axis = 0; axis < 4; ++axis) turn[axis] = uniform(-1, 1);
      if (turn.length2() < 1 && turn.length2() > 0.01F) return turn.normalized();
    }
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace ppu::scenes
