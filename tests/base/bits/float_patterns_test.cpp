// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Random patterns meet the hard cases that they are made for, each many times.
#include "base/bits/float_patterns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <string>

namespace ppu {
namespace {

constexpr int kDraws = 20'000;
constexpr int kOften = kDraws / 100;

std::uint32_t mantissa_of(Bits bits) {
  return bits & 0x007fffffU;
}
int exponent_of(Bits bits) {
  return static_cast<int>(bits >> 23U & 0xffU);
}

TEST(FloatPatterns, MeetEveryEdgeOfTheFormatWithBothSigns) {
  Random random(1);
  std::map<Bits, int> seen;
  for (int i = 0; i < kDraws; ++i) ++seen[random_bits(random)];
  for (const Bits edge : kEdges)
    for (const Bits sign : {0U, kSign}) EXPECT_GT(seen[edge | sign], 0) << std::hex << edge;
}

TEST(FloatPatterns, MeetEveryKindOfNumberOften) {
  Random random(2);
  std::map<std::string, int> seen;
  for (int i = 0; i < kDraws; ++i) {
    const Bits bits = random_bits(random);
    const float value = std::fabs(float_of(bits));
    const std::uint32_t mantissa = mantissa_of(bits);
    const bool is_normal = std::isnormal(value);
    if (std::fpclassify(value) == FP_SUBNORMAL) ++seen["subnormal"];
    if (std::isinf(value)) ++seen["infinite"];
    if (std::isnan(value)) ++seen["no number"];
    if (value >= 0.5F && value <= 2) ++seen["around one"];
    if (is_normal && (mantissa & 0xfffU) == 0) ++seen["trailing zeros"];
    if (is_normal && (mantissa & 0xfffU) == 0xfffU) ++seen["trailing ones"];
    if ((bits & kSign) != 0) ++seen["negative"];
  }
  EXPECT_GT(seen["subnormal"], 10 * kOften);
  EXPECT_GT(seen["around one"], kOften);
  EXPECT_GT(seen["trailing zeros"], 5 * kOften);
  EXPECT_GT(seen["trailing ones"], 5 * kOften);
  EXPECT_NEAR(seen["negative"], kDraws / 2, 5 * kOften);
  // Of a few edges alone.
  EXPECT_GT(seen["infinite"], kOften / 4);
  EXPECT_GT(seen["no number"], kOften / 2);
}

TEST(FloatPatterns, MeetPairsThatCancelAlignUnderflowAndOverflowOften) {
  Random random(3);
  std::map<std::string, int> seen;
  for (int i = 0; i < kDraws; ++i) {
    const auto [a, b] = random_pair(random);
    const int distance = std::abs(exponent_of(a) - exponent_of(b));
    const double product = std::fabs(static_cast<double>(float_of(a)) * float_of(b));
    if (((a ^ b) & ~kSign) <= 8) ++seen["the same but for some bits"];
    if (distance <= 27) ++seen["aligned"];
    if (product >= std::ldexp(1.0, -160) && product < std::ldexp(1.0, -126)) ++seen["too small"];
    if (product >= std::ldexp(1.0, -126) && product < std::ldexp(1.0, -120)) ++seen["small"];
    if (product >= std::ldexp(1.0, 124) && product < std::ldexp(1.0, 128)) ++seen["large"];
    if (product >= std::ldexp(1.0, 128) && product < std::ldexp(1.0, 132)) ++seen["too large"];
  }
  EXPECT_GT(seen["the same but for some bits"], 5 * kOften);
  EXPECT_GT(seen["aligned"], 25 * kOften);
  for (const char* range : {"too small", "small", "large", "too large"})
    EXPECT_GT(seen[range], kOften) << range;
}

TEST(FloatPatterns, AreTheSameOfTheSameSeed) {
  Random first(7), second(7);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(random_pair(first), random_pair(second));
}

}  // namespace
}  // namespace ppu
