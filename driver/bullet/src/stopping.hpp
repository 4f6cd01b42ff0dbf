// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// When Bullet stops before the last iteration, told by what the device measures.
//
// Bullet 3.24 stops where the largest fl(r*r) of an iteration is at most
// m_leastSquaresResidualThreshold, with r = fl32(fl64(dx * fl64(1 / d))). The device has the
// largest q = |fl32(dx / d)|. fl(r*r) never falls with |r|, so Bullet's test is |r| <= R for the
// largest float R with fl(R*R) <= threshold; and |r| and q are the same float or neighbours.
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
  /// Where the device stops: at the first q that Bullet may stop at.
  [[nodiscard]] float device_threshold() const { return device_threshold_; }

  enum class Verdict { kGoesOn, kStops, kUndecided };
  /// What Bullet does after an iteration with this q.
  [[nodiscard]] Verdict judge(float quotient) const;

 private:
  bool tests_;
  float limit_ = 0;             ///< R.
  float device_threshold_ = 0;  ///< The float after R.
};

}  // namespace ppu::bullet
