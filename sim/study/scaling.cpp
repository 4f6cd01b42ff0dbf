// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The cycles of a steady sweep on devices of other shapes.
#include "sim/study/scaling.hpp"

#include <algorithm>

#include "sim/solve/solver.hpp"

namespace ppu::sim {
namespace {

constexpr std::uint32_t kFewSweeps = 10;
constexpr std::uint32_t kMoreSweeps = 20;
constexpr std::uint32_t kBanksPerPipe = 8;
constexpr std::uint32_t kMostBanks = 64;

struct SteadySweep {
  double cycles;
  std::uint32_t runs;  ///< The problem was cut into so many.
};

SteadySweep steady_sweep(const model::RowProblem& problem, const Options& options) {
  // Each on a new device: what comes before the first instruction takes the same cycles.
  const SolveResult few = Solver(options).solve(problem, kFewSweeps);
  const SolveResult more = Solver(options).solve(problem, kMoreSweeps);
  if (more.report.sweeps != kMoreSweeps || few.report.sweeps != kFewSweeps) {
    throw CliError(kExitUsage, options.program + ": finished other than the " +
                                   std::to_string(kMoreSweeps) +
                                   " sweeps asked for, expected a program that sweeps on");
  }
  const std::uint64_t cycles = more.counter(PPU_COUNTER_CYCLES) - few.counter(PPU_COUNTER_CYCLES);
  return {static_cast<double>(cycles) / (kMoreSweeps - kFewSweeps), more.report.runs};
}

/// Those of issue in slot order.
double in_order(const model::RowProblem& problem, const Options& options) {
  Options mine = options;
  mine.overrides.emplace_back("dataflow=0");
  return steady_sweep(problem, mine).cycles;
}

}  // namespace

Options reshaped(const Options& options, const std::vector<std::string>& overrides) {
  Options shape = options;
  shape.overrides.insert(shape.overrides.end(), overrides.begin(), overrides.end());
  const bool given =
      std::any_of(options.overrides.begin(), options.overrides.end(),
                  [](const std::string& text) { return text.rfind("velocity_banks", 0) == 0; });
  if (given) return shape;
  const std::uint32_t pipes = hw::resolve_config(shape.config, shape.overrides).pipes;
  shape.overrides.push_back("velocity_banks=" +
                            std::to_string(std::min(kMostBanks, kBanksPerPipe * pipes)));
  return shape;
}

ScalingPoint measure_scaling(const model::RowProblem& problem, const Options& options) {
  ScalingPoint point;
  point.config = hw::resolve_config(options.config, options.overrides);
  const SteadySweep sweep = steady_sweep(problem, options);
  point.cycles = sweep.cycles;
  point.slot_order = in_order(problem, options);
  // A program that reads a residual uses one engine.
  point.bound = sweep_bound(problem, point.config, std::min(sweep.runs, point.config.engines));
  return point;
}

}  // namespace ppu::sim
