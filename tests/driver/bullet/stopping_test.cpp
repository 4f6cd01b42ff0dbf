// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Where Bullet's test for termination lies among the floats.
#include "stopping.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ppu::bullet {
namespace {

using Verdict = StopRule::Verdict;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

float after(float value) {
  return std::nextafter(value, kInfinity);
}
float before(float value) {
  return std::nextafter(value, 0.0F);
}

TEST(StopRule, StopsBelowTheRootAndGoesOnAboveIt) {
  for (const float squares : {0.0F, 1e-45F, 1e-12F, 0.25F, 3.0F, 1e10F}) {
    const StopRule rule(squares);
    ASSERT_TRUE(rule.tests());
    // The root is the float before the device's threshold.
    const float root = before(rule.device_threshold());
    EXPECT_LE(root * root, squares);
    EXPECT_GT(after(root) * after(root), squares);
    EXPECT_EQ(rule.judge(0), Verdict::kStops);
    EXPECT_EQ(rule.judge(before(root)), Verdict::kStops);
    EXPECT_EQ(rule.judge(root), Verdict::kUndecided);
    EXPECT_EQ(rule.judge(after(root)), Verdict::kUndecided);
    EXPECT_EQ(rule.judge(after(after(root))), Verdict::kGoesOn);
  }
}

TEST(StopRule, StopsAtZeroWhereSquaresAreTooSmallForAFloat) {
  const StopRule rule(0);
  EXPECT_EQ(rule.judge(0x1p-76F), Verdict::kStops);
  EXPECT_EQ(rule.judge(0x1p-74F), Verdict::kGoesOn);
}

TEST(StopRule, NeverStopsBelowZeroOrWithoutANumber) {
  for (const float squares : {-1.0F, -1e-30F, std::numeric_limits<float>::quiet_NaN()}) {
    const StopRule rule(squares);
    EXPECT_FALSE(rule.tests());
    EXPECT_EQ(rule.judge(0), Verdict::kGoesOn);
  }
  EXPECT_FALSE(StopRule::never().tests());
}

TEST(StopRule, HasAFiniteThresholdForEveryFiniteOne) {
  EXPECT_LT(StopRule(std::numeric_limits<float>::max()).device_threshold(), kInfinity);
}

/// Bullet's residual and the device's: the same float or neighbours.
TEST(Quotient, IsAtMostOneFloatFromBullets) {
  std::uint32_t state = 1;
  const auto draw = [&state] {
    state = state * 1664525U + 1013904223U;
    return std::ldexp(1.0F + static_cast<float>(state >> 9) * 0x1p-23F,
                      static_cast<int>(state % 61) - 30);
  };
  for (int i = 0; i < 200000; ++i) {
    const float dx = draw();
    const float d = draw();
    const auto bullet = static_cast<float>(dx * (1. / d));
    const float device = dx / d;
    ASSERT_GE(after(device), bullet);
    ASSERT_LE(before(device), bullet);
  }
}

}  // namespace
}  // namespace ppu::bullet
