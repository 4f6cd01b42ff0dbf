// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "driver/bullet/stopping.hpp"

#include <cstdint>

#include "base/bits/float_bits.hpp"

namespace ppu::bullet {
namespace {

/// The largest float with fl(R*R) <= squares; floats from 0 on are in the order of their bits.
float largest_root(float squares) {
  std::uint32_t low = 0;
  std::uint32_t high = 0x7f7fffffU;  // The largest float.
  while (low < high) {
    const std::uint32_t middle = low + (high - low + 1) / 2;
    const float root = float_of(middle);
    if (root * root <= squares) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return float_of(low);
}

}  // namespace

StopRule::StopRule(float squares) : tests_(squares >= 0) {
  if (tests_) threshold_ = largest_root(squares);
}

const StopRule& StopRule::never() {
  static const StopRule rule(-1.0F);
  return rule;
}

}  // namespace ppu::bullet
