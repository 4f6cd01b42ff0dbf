// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// How long the device took for a solve.
#pragma once

#include <limits>

#include "sim/solve/solver.hpp"

namespace ppu::sim {

/// Copies included; NaN where the back end has no time.
inline double device_ms(const SolveResult& solved) {
  constexpr double kCyclesPerMs = 1e3;  // At 1 MHz.
  if (!solved.timed()) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(solved.report.device_cycles) /
         (static_cast<double>(solved.device.clock_mhz) * kCyclesPerMs);
}

}  // namespace ppu::sim
