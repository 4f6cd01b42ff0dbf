// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Random float32 bit patterns that meet the hard cases often: special values, subnormals, few and
// many mantissa bits, operands of similar size, products near underflow and overflow.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <utility>

#include "base/bits/float_bits.hpp"

namespace ppu {

using Bits = std::uint32_t;
using Random = std::mt19937_64;

inline constexpr Bits kSign = 0x80000000;
inline constexpr Bits kCanonicalNan = 0x7fc00000;

/// Magnitudes at the borders of the format.
inline constexpr std::array<Bits, 28> kEdges = {
    0x00000000, 0x00000001, 0x00000002, 0x00000003, 0x003fffff, 0x00400000, 0x00400001,
    0x007ffffe, 0x007fffff, 0x00800000, 0x00800001, 0x00ffffff, 0x01000000, 0x33800000,
    0x33800001, 0x34000000, 0x3effffff, 0x3f000000, 0x3f7fffff, 0x3f800000, 0x3f800001,
    0x4b7fffff, 0x4b800000, 0x7e800000, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000};

inline Bits random_bits(Random& random) {
  const auto word = random();
  const auto bits = static_cast<Bits>(word);
  const Bits sign = bits & kSign;
  const auto choice = static_cast<std::uint32_t>(word >> 32U);
  const Bits mantissa = bits & 0x007fffffU;
  switch (choice % 8) {
    case 0:
      return sign | kEdges[(choice >> 3U) % kEdges.size()];
    case 1:  // Subnormal.
      return sign | mantissa;
    case 2:  // Around one.
      return sign | ((112U + (choice >> 3U) % 32U) << 23U) | mantissa;
    case 3:  // Trailing zeros in the mantissa.
      return sign | ((choice >> 8U) % 255U) << 23U | (mantissa & (~0U << ((choice >> 3U) % 24U)));
    case 4:  // Trailing ones.
      return sign | ((choice >> 8U) % 255U) << 23U |
             ((mantissa | ~(~0U << ((choice >> 3U) % 24U))) & 0x007fffffU);
    default:
      return bits;
  }
}

/// A pair for which sums cancel or align, and products land near the ends of the range.
inline std::pair<Bits, Bits> random_pair(Random& random) {
  const Bits a = random_bits(random);
  const auto word = static_cast<std::uint32_t>(random());
  const Bits exponent = (a >> 23U) & 0xffU;
  const Bits other = random_bits(random);
  switch (word % 8) {
    case 0:  // Nearly the same number, either sign.
      return {a, (a ^ (word & kSign)) + ((word >> 3U) % 8U) - 4U};
    case 1:  // An exponent up to 27 away.
      return {a, (other & 0x807fffffU) | ((exponent + (word >> 3U) % 55U + 229U) % 255U) << 23U};
    case 2:  // Product near the smallest normal number.
      return {a, (other & 0x807fffffU) | ((383U + 255U - exponent - (word >> 3U) % 32U) % 255U)
                                             << 23U};
    case 3:  // Product near the largest.
      return {a, (other & 0x807fffffU) | ((383U + 255U - exponent - (word >> 3U) % 4U) % 255U)
                                             << 23U};
    default:
      return {a, other};
  }
}

}  // namespace ppu
