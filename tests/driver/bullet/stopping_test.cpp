// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Where Bullet's test for termination lies among the floats.
#include "driver/bullet/stopping.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ppu::bullet {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

float after(float value) {
  return std::nextafter(value, kInfinity);
}

TEST(StopRule, StopsBelowTheRootAndGoesOnAboveIt) {
  for (const float squares : {0.0F, 1e-45F, 1e-12F, 0.25F, 3.0F, 1e10F}) {
    const StopRule rule(squares);
    ASSERT_TRUE(rule.tests());
    const float root = rule.threshold();
    EXPECT_LE(root * root, squares);
    EXPECT_GT(after(root) * after(root), squares);
    EXPECT_TRUE(rule.stops(0));
    EXPECT_TRUE(rule.stops(root));
    EXPECT_FALSE(rule.stops(after(root)));
  }
}

TEST(StopRule, StopsAtZeroWhereSquaresAreTooSmallForAFloat) {
  const StopRule rule(0);
  EXPECT_TRUE(rule.stops(0x1p-76F));
  EXPECT_FALSE(rule.stops(0x1p-74F));
}

TEST(StopRule, NeverStopsBelowZeroOrWithoutANumber) {
  for (const float squares : {-1.0F, -1e-30F, std::numeric_limits<float>::quiet_NaN()}) {
    const StopRule rule(squares);
    EXPECT_FALSE(rule.tests());
    EXPECT_FALSE(rule.stops(0));
  }
  EXPECT_FALSE(StopRule::never().tests());
}

TEST(StopRule, HasAFiniteThresholdForEveryFiniteOne) {
  EXPECT_LT(StopRule(std::numeric_limits<float>::max()).threshold(), kInfinity);
}

/// Bullet's residual, with its two roundings to double precision, and the device's.
void expect_bullets_quotient(float dx, float d) {
  const auto bullet = static_cast<float>(dx * (1. / d));
  const float device = dx / d;
  ASSERT_EQ(device, bullet) << dx << " / " << d;
}

TEST(Quotient, IsBullets) {
  std::uint32_t state = 1;
  const auto draw = [&state] {
    state = state * 1664525U + 1013904223U;
    return std::ldexp(1.0F + static_cast<float>(state >> 9) * 0x1p-23F,
                      static_cast<int>(state % 61) - 30);
  };
  for (int i = 0; i < 200000; ++i) {
    const float dx = draw();
    expect_bullets_quotient(dx, draw());
  }
}

/// The dividends next to a divisor times the middle of two floats: nowhere is rounding harder.
TEST(Quotient, IsBulletsNextToTheMiddleOfTwoFloats) {
  constexpr std::uint64_t kOne = 1U << 23;  // The significands are kOne to 2 kOne - 1.
  for (std::uint64_t d = 2 * kOne - 1; d > 2 * kOne - 400; --d)
    for (std::uint64_t middle = 2 * kOne + 1; middle < 2 * kOne + 4000; middle += 2) {
      const std::uint64_t below = middle * d / (2 * kOne);
      for (const std::uint64_t dx : {below, below + 1})
        expect_bullets_quotient(static_cast<float>(dx), static_cast<float>(d));
    }
}

TEST(Quotient, HasASquareOfZeroWhereItIsNotBullets) {
  for (const float dx : {0x1p-149F, 0x1.8p-140F, 0x1.fffffep-126F})
    for (float d = 1; d < 2; d = after(d + 0x1p-10F)) {
      const auto bullet = static_cast<float>(dx * (1. / d));
      const float device = dx / d;
      ASSERT_EQ(bullet * bullet, device * device) << dx << " / " << d;
    }
}

}  // namespace
}  // namespace ppu::bullet
