// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// How the true residual of a program falls.
#include "sim/study/convergence.hpp"

#include <algorithm>

#include "sim/measure/impulse_residual.hpp"

namespace ppu::sim {
namespace {

/// The next number of sweeps to try.
std::uint32_t further(std::uint32_t sweeps) {
  return sweeps + std::max(1U, sweeps / 8);
}

/// One program on one problem, each solve on a device of its own: as `ppu solve` would do it.
class Meter {
 public:
  Meter(const model::RowProblem& problem, const Options& options)
      : problem_(problem), options_(options) {}

  [[nodiscard]] SolveResult solve(std::uint32_t sweeps) const {
    return Solver(options_).solve(problem_, sweeps);
  }
  [[nodiscard]] ConvergencePoint after(std::uint32_t sweeps) const {
    return point_of(problem_, solve(sweeps));
  }

 private:
  const model::RowProblem& problem_;
  Options options_;
};

/// Without a budget.
Meter unlimited(const model::RowProblem& problem, Options options) {
  options.budget_us.reset();
  return {problem, options};
}

ConvergencePoint start_point(const model::RowProblem& problem, const Options& options) {
  std::vector<float> impulse = problem.impulse;
  if (start_of(options) == PPU_START_COLD) std::fill(impulse.begin(), impulse.end(), 0.0F);
  return {0, 0, 0, residual_of_impulses(problem, impulse)};
}

/// The first point at or below `level` between points `above` and `below`, where the residual
/// crosses it once: to the sweep, or to a 256th of the sweeps.
ConvergencePoint crossing(const Meter& meter, ConvergencePoint above, ConvergencePoint below,
                          double level) {
  while (below.sweeps - above.sweeps > 1 + above.sweeps / 256) {
    const ConvergencePoint middle = meter.after((above.sweeps + below.sweeps) / 2);
    (middle.residual <= level ? below : above) = middle;
  }
  return below;
}

}  // namespace

const ConvergencePoint& Convergence::best() const {
  return *std::min_element(
      points.begin(), points.end(),
      [](const ConvergencePoint& a, const ConvergencePoint& b) { return a.residual < b.residual; });
}

bool stopped_by_itself(const Options& options, const SolveResult& solve) {
  // A pass that was cut short has not seen all rows.
  return options.threshold && !solve.report.late &&
         solve.report.run.last_residual <= *options.threshold;
}

ConvergencePoint point_of(const model::RowProblem& problem, const SolveResult& solve) {
  return {solve.report.sweeps, solve.counter(PPU_COUNTER_ROW_UPDATES),
          solve.counter(PPU_COUNTER_CYCLES), residual_of_impulses(problem, solve.solution.impulse)};
}

Convergence measure_convergence(const model::RowProblem& problem, const Options& options) {
  Convergence result;
  result.options = options;
  const SolveResult last = Meter(problem, options).solve(options.sweeps);
  const ConvergencePoint end = point_of(problem, last);
  result.stopped = stopped_by_itself(options, last);

  const Meter meter = unlimited(problem, options);
  result.points.push_back(start_point(problem, options));
  for (std::uint32_t sweeps = 1; sweeps < end.sweeps; sweeps = further(sweeps))
    result.points.push_back(meter.after(sweeps));
  result.points.push_back(end);
  return result;
}

std::optional<ConvergencePoint> first_at(const model::RowProblem& problem,
                                         const Convergence& convergence, double level) {
  const std::vector<ConvergencePoint>& points = convergence.points;
  const auto first =
      std::find_if(points.begin(), points.end(),
                   [level](const ConvergencePoint& point) { return point.residual <= level; });
  if (first == points.end()) return std::nullopt;
  if (first == points.begin()) return *first;
  return crossing(unlimited(problem, convergence.options), *(first - 1), *first, level);
}

}  // namespace ppu::sim
