// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The cycles of a steady sweep on devices of other shapes, beside what no order can beat.
#pragma once

#include <string>
#include <vector>

#include "hw/contract/config.hpp"
#include "model/problem/row_problem.hpp"
#include "sim/measure/sweep_bound.hpp"
#include "sim/solve/options.hpp"

namespace ppu::sim {

struct ScalingPoint {
  hw::Config config;
  SweepBound bound;
  double cycles = 0;      ///< Of a steady sweep.
  double slot_order = 0;  ///< ... with issue in slot order.
};

/// The configuration of `options` with `overrides` over it and, unless --set says otherwise, 8
/// velocity banks per pipe, at most 64.
Options reshaped(const Options& options, const std::vector<std::string>& overrides);

/// Runs few sweeps and more sweeps on the cycle model, each way: a steady sweep is the difference
/// per sweep. Throws as solve_once() does.
ScalingPoint measure_scaling(const model::RowProblem& problem, const Options& options);

}  // namespace ppu::sim
