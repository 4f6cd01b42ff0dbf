// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// How the error of a method falls with its time, device and host together: the method is run again
// and again, a little further each time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/method/method.hpp"

namespace ppu::sim {

/// Six frames at 60 Hz: a method is run no further once a run has taken longer.
inline constexpr double kLongestCurveMs = 100;
/// Firmware is, besides, no further than these.
inline constexpr std::uint32_t kMostCurveSweeps = 2048;

struct CurvePoint {
  double ms = 0;     ///< Device (simulated, copies included) plus host (processor time).
  double error = 0;  ///< |F_nat| / |b|, see methods::Residual.
};

struct MethodCurve {
  std::string method;
  std::vector<CurvePoint> points;  ///< By time, each better than all before.

  /// The least error within `ms`; NaN if there is none yet.
  [[nodiscard]] double error_within(double ms) const;
  /// The time to `error`; NaN if it is not reached.
  [[nodiscard]] double ms_to(double error) const;
};

/// "pgs", "sor" (1.3 times the step), "filter", "nesterov", "pgs-sm", "interior-point".
const std::vector<std::string>& curve_methods();

/// From the options' start, on their device, which must have time. `problem` is frozen already, or
/// friction follows. Throws what solve_by_method() and Solver do.
MethodCurve measure_curve(const model::RowProblem& problem, const Options& options,
                          const std::string& method);

}  // namespace ppu::sim
