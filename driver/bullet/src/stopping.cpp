// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "stopping.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace ppu::bullet {
namespace {

float float_of(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

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
  if (!tests_) return;
  constexpr float kLargest = std::numeric_limits<float>::max();
  limit_ = largest_root(squares);
  device_threshold_ =
      std::min(std::nextafter(limit_, std::numeric_limits<float>::infinity()), kLargest);
}

const StopRule& StopRule::never() {
  static const StopRule rule(-1.0F);
  return rule;
}

StopRule::Verdict StopRule::judge(float quotient) const {
  if (!tests_ || quotient > device_threshold_) return Verdict::kGoesOn;
  return quotient < limit_ ? Verdict::kStops : Verdict::kUndecided;
}

}  // namespace ppu::bullet
