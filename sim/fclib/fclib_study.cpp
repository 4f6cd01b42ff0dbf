// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Solves FCLIB problems and judges what comes out by the problem's own numbers.
#include "sim/fclib/fclib_study.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "model/fclib/cone_sweeps.hpp"
#include "model/fclib/fclib_rows.hpp"
#include "model/methods/scaled_rows.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/base/text.hpp"
#include "sim/method/method.hpp"
#include "sim/peers/peer_process.hpp"
#include "sim/solve/solver.hpp"

namespace ppu::sim {
namespace {

namespace fclib = model::fclib;
namespace methods = model::methods;
using Clock = std::chrono::steady_clock;

/// Sweeps on the cones themselves: no pyramid, no directions.
constexpr const char* kCones = "cones";

constexpr std::uint32_t kDeviceSweeps = 1000;
/// True residuals at which sweeps end, in parts of the largest |q|: what float32 can tell.
constexpr double kDeviceThreshold = 1e-5;
constexpr double kRelativeThreshold = 1e-7;

double largest_offset(const fclib::Problem& local) {
  double most = 0;
  for (const double value : local.offset) most = std::max(most, std::fabs(value));
  return most > 0 ? most : 1;
}

class Study {
 public:
  Study(const fclib::Problem& problem, const Options& device, const FclibOptions& options)
      : problem_(problem), local_(fclib::localized(problem)), device_(device), options_(options) {}

  FclibResult solve(const std::string& method, std::uint32_t directions) const {
    FclibResult result;
    result.method = method;
    result.directions = directions;
    if (method == kCones) {
      solve_on_cones(result);
    } else if (method == "explicit") {
      solve_by_matrix(result);
    } else if (method == kSweepsMethod) {
      solve_on_device(result);
    } else {
      solve_boxed(result);
    }
    judge(result);
    if (!std::isfinite(result.error))
      throw methods::MethodFailure(
          problem_.name + ": method " + method + ": found impulses beyond every number after " +
          counted(result.sweeps, "sweep") + ", expected an answer; its matrix may be indefinite");
    return result;
  }

  FclibResult ask_siconos() const {
    std::vector<double> numbers{static_cast<double>(local_.contacts()), options_.tolerance,
                                static_cast<double>(options_.sweeps),
                                static_cast<double>(local_.w.entry.size())};
    for (const fclib::Entry& e : local_.w.entry) {
      numbers.push_back(e.row);
      numbers.push_back(e.column);
      numbers.push_back(e.value);
    }
    numbers.insert(numbers.end(), local_.offset.begin(), local_.offset.end());
    numbers.insert(numbers.end(), local_.friction.begin(), local_.friction.end());
    FclibResult result;
    result.method = "siconos NSGS";
    result.rows = local_.offset.size();
    result.r = ask_peer("nsgs-siconos", numbers);
    result.r.pop_back();  // Its own error: judge() has one for all.
    result.sweeps = static_cast<std::uint64_t>(result.r.back());
    result.r.pop_back();
    result.host_seconds = result.r.back();
    result.r.pop_back();
    judge(result);
    // Its own end is its error relative to |q|, as here.
    result.reached = result.error <= options_.tolerance * (1 + 1e-6);
    return result;
  }

 private:
  void solve_on_cones(FclibResult& result) const {
    const Clock::time_point start = Clock::now();
    fclib::ConeSolution solution =
        fclib::solve_cones(local_, {static_cast<int>(options_.sweeps), options_.tolerance});
    result.host_seconds = std::chrono::duration<double>(Clock::now() - start).count();
    result.directions = 0;
    result.rows = local_.offset.size();
    result.sweeps = static_cast<std::uint64_t>(solution.sweeps);
    result.reached = solution.reached;
    result.r = std::move(solution.r);
  }

  void solve_by_matrix(FclibResult& result) const {
    const methods::ExplicitProblem given = fclib::explicit_of(problem_, result.directions);
    const bool has_bodies = given.j.rows() > 0;
    const methods::ExplicitOptions how{
        has_bodies ? methods::Example::kStepVelocity : methods::Example::kMatrix,
        static_cast<int>(options_.sweeps), kRelativeThreshold * largest_offset(local_)};
    const Clock::time_point start = Clock::now();
    const methods::ExplicitSolution solution = methods::solve_explicit(given, how);
    result.host_seconds = std::chrono::duration<double>(Clock::now() - start).count();
    result.rows = given.rows();
    result.sweeps = static_cast<std::uint64_t>(solution.sweeps);
    result.reached = solution.reached;
    result.r = fclib::contact_impulses(problem_, result.directions, solution.impulse);
  }

  void solve_on_device(FclibResult& result) const {
    const model::RowProblem rows = fclib::rows_of(problem_, result.directions);
    Options options = device_;
    options.problem = problem_.name;
    options.program = "threshold";
    options.threshold = static_cast<float>(kDeviceThreshold * largest_offset(local_));
    options.start = "cold";
    options.sweeps = std::min(options_.sweeps, kDeviceSweeps);
    Solver solver(options);
    const SolveResult solved = solver.solve(rows, options.sweeps);
    solver.close();
    result.rows = rows.rows();
    result.sweeps = solved.report.sweeps;
    result.reached = solved.report.sweeps < options.sweeps;
    if (solved.timed())
      result.device_seconds = static_cast<double>(solved.report.device_cycles) /
                              (static_cast<double>(solved.device.clock_mhz) * 1e6);
    const auto& impulse = solved.solution.impulse;
    result.r =
        fclib::contact_impulses(problem_, result.directions, {impulse.begin(), impulse.end()});
  }

  void solve_boxed(FclibResult& result) const {
    // The methods end by numbers with units: rates of the order of 1 m/s are what they are for.
    const double scale = largest_offset(local_);
    model::RowProblem rows = fclib::rows_of(problem_, result.directions);
    for (float& bias : rows.rate_bias) bias = static_cast<float>(static_cast<double>(bias) / scale);
    Options options = device_;
    options.problem = problem_.name;
    options.start = "cold";
    MethodOptions method;
    method.method = result.method;
    MethodResult solved = solve_by_method(rows, options, method);
    for (double& impulse : solved.impulse) impulse *= scale;
    result.rows = rows.rows();
    result.sweeps = static_cast<std::uint64_t>(std::max(solved.sweeps, solved.iterations));
    result.reached = solved.reached;
    result.host_seconds = solved.host_seconds;
    if (solved.device && solved.device->cycles > 0)
      result.device_seconds =
          static_cast<double>(solved.device->cycles) / (solved.device->clock_mhz * 1e6);
    result.r = fclib::contact_impulses(problem_, result.directions, solved.impulse);
  }

  void judge(FclibResult& result) const {
    result.error = fclib::natural_error(local_, result.r);
    result.error_in_cone = fclib::natural_error(local_, fclib::in_cones(local_, result.r));
    result.excess = fclib::cone_excess(local_, result.r);
  }

  const fclib::Problem& problem_;
  const fclib::Problem local_;
  const Options& device_;
  const FclibOptions& options_;
};

}  // namespace

const std::vector<std::string>& fclib_methods() {
  static const std::vector<std::string> names{kSweepsMethod, "explicit", "pgs-sm", "interior-point",
                                              kCones};
  return names;
}

std::vector<FclibResult> solve_fclib(const fclib::Problem& problem, const Options& device,
                                     const FclibOptions& options) {
  std::vector<std::string> names = options.methods;
  const bool has_rows = problem.is_global && problem.dimension == 3;
  if (names.empty())
    names = has_rows ? fclib_methods() : std::vector<std::string>{"explicit", kCones};
  const Study study(problem, device, options);
  std::vector<FclibResult> results;
  try {
    for (const std::string& method : names) {
      for (const std::uint32_t directions : options.directions) {
        results.push_back(study.solve(method, problem.dimension == 2 ? 1 : directions));
        if (results.back().directions == 0) break;
      }
    }
    if (!options.peers.empty()) {
      if (problem.dimension != 3)
        throw CliError(kExitUsage, problem.name +
                                       ": --peers siconos: found a problem in two "
                                       "dimensions, expected three");
      results.push_back(study.ask_siconos());
    }
  } catch (const methods::MethodFailure& failure) {
    throw CliError(kExitMismatch, failure.what());
  }
  return results;
}

}  // namespace ppu::sim
