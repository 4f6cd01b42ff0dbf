// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// When Bullet stops before the last iteration, told by what the device measures.
//
// Bullet 3.24 stops where the largest fl(r*r) of an iteration is at most
// m_leastSquaresResidualThreshold, with r = fl32(fl64(dx * fl64(1 / d))). The device has the
// largest q = |fl32(dx / d)|, which is |r|: the quotient of two floats is more than 2^-49 of itself
// away from the middle of any two neighbours, and double precision is off by 2^-52 at most. (Below
// the smallest normal float they may differ, but there the squares of both are 0.) fl(q*q) never
// falls with q, so Bullet's test is q <= R for the largest float R with fl(R*R) <= threshold.
#pragma once

namespace ppu::bullet {

class StopRule {
 public:
  /// `squares`: m_leastSquaresResidualThreshold.
  explicit StopRule(float squares);

  /// The rule that goes on always.
  static const StopRule& never();

  /// False if Bullet goes on whatever happens, as with a negative threshold.
  [[nodiscard]] bool tests() const { return tests_; }
  /// R, where the device stops, too.
  [[nodiscard]] float threshold() const { return threshold_; }
  /// True if Bullet stops after an iteration with this q.
  [[nodiscard]] bool stops(float quotient) const { return tests_ && quotient <= threshold_; }

 private:
  bool tests_;
  float threshold_ = 0;
};

}  // namespace ppu::bullet
