// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Runs of growing length.
#include "sim/method/method_curve.hpp"

#include <algorithm>

#include "sim/base/cli_error.hpp"
#include "sim/base/text.hpp"
#include "sim/method/device_time.hpp"
#include "sim/solve/solver.hpp"

namespace ppu::sim {
namespace {

constexpr int kMostRounds = 128;
constexpr float kOverRelaxation = 1.3F;
constexpr double kMsPerSecond = 1e3;

struct FirmwareRun {
  std::string program;
  std::uint32_t sweeps;
  float threshold;  ///< 0: the program tests none, or shall not stop.
};

/// Firmware filters by its threshold: there, a run for each threshold; of others, for each number
/// of sweeps.
std::vector<FirmwareRun> runs_of(const std::string& method) {
  std::vector<FirmwareRun> runs;
  if (method == "filter") {
    for (const float threshold : {3.0F, 1.0F, 0.3F, 0.1F, 0.03F, 0.01F})
      runs.push_back({"filter", kMostCurveSweeps, threshold});
    return runs;
  }
  const std::string program = method == "nesterov" ? "nesterov" : "boxed";
  for (std::uint32_t sweeps = 1; sweeps <= kMostCurveSweeps; sweeps *= 2)
    runs.push_back({program, sweeps, 0});
  return runs;
}

CurvePoint run_firmware(const model::RowProblem& problem, Options options, const FirmwareRun& run,
                        float relaxation) {
  options.program = run.program;
  options.sweeps = run.sweeps;
  options.relaxation = relaxation;
  options.threshold.reset();
  if (run.program != "boxed") options.threshold = run.threshold;
  const SolveResult solved = Solver(options).solve(problem, run.sweeps);
  if (!solved.timed())
    throw CliError(kExitUsage, "--backend: '" + options.backend +
                                   "' has no time, expected one that has, as systemc");
  const auto& impulse = solved.solution.impulse;
  return {device_ms(solved), residual_of(problem, {impulse.begin(), impulse.end()}).relative};
}

CurvePoint run_method(const model::RowProblem& problem, const Options& options,
                      const std::string& name, int rounds, bool* reached) {
  MethodOptions method;
  method.method = name;
  method.most_rounds = rounds;
  const MethodResult result = solve_by_method(problem, options, method);
  *reached = result.reached;
  double ms = kMsPerSecond * result.host_seconds;
  if (result.device)
    ms += static_cast<double>(result.device->cycles) / result.device->clock_mhz / kMsPerSecond;
  return {ms, result.residual.relative};
}

}  // namespace

double MethodCurve::error_within(double ms) const {
  double error = kNotMeasured;
  for (const CurvePoint& point : points)
    if (point.ms <= ms) error = point.error;
  return error;
}

double MethodCurve::ms_to(double error) const {
  for (const CurvePoint& point : points)
    if (point.error <= error) return point.ms;
  return kNotMeasured;
}

const std::vector<std::string>& curve_methods() {
  static const std::vector<std::string> names{"pgs",      "sor",    "filter",
                                              "nesterov", "pgs-sm", "interior-point"};
  return names;
}

MethodCurve measure_curve(const model::RowProblem& problem, const Options& options,
                          const std::string& method) {
  std::vector<CurvePoint> points;
  // A run that takes longer than the longest is the last one of its method.
  const auto is_long = [&points] { return !points.empty() && points.back().ms > kLongestCurveMs; };
  if (method == "pgs-sm" || method == "interior-point") {
    bool ended = false;
    for (int rounds = 1; rounds <= kMostRounds && !ended && !is_long(); rounds *= 2)
      points.push_back(run_method(problem, options, method, rounds, &ended));
  } else {
    for (const FirmwareRun& run : runs_of(method)) {
      if (is_long()) break;
      points.push_back(
          run_firmware(problem, options, run, method == "sor" ? kOverRelaxation : 1.0F));
    }
  }
  std::stable_sort(points.begin(), points.end(),
                   [](const CurvePoint& a, const CurvePoint& b) { return a.ms < b.ms; });
  MethodCurve curve{method, {}};
  for (const CurvePoint& point : points)
    if (curve.points.empty() || point.error < curve.points.back().error)
      curve.points.push_back(point);
  return curve;
}

}  // namespace ppu::sim
