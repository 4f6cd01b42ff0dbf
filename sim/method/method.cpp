// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Solves by the other methods of the source papers.
#include "sim/method/method.hpp"

#include <algorithm>
#include <functional>

#include "model/methods/coupled_friction.hpp"
#include "model/methods/explicit_matrix.hpp"
#include "model/methods/interior_point.hpp"
#include "model/methods/subspace.hpp"
#include "model/reference/reference.hpp"
#include "model/reference/residual.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/base/cpu_clock.hpp"
#include "sim/problem/frozen.hpp"
#include "sim/solve/solver.hpp"

namespace ppu::sim {
namespace {

namespace methods = model::methods;
std::vector<float> in_float(const std::vector<double>& numbers) {
  return {numbers.begin(), numbers.end()};
}

/// Sweeps from zero on the device of the options, for as many problems as it takes.
class DeviceSweeps {
 public:
  explicit DeviceSweeps(const Options& options) : solver_(with_boxed(options)) {}

  std::vector<float> operator()(const model::RowProblem& problem, int count) {
    const double start = cpu_seconds();
    SolveResult result = solver_.solve(problem, static_cast<std::uint32_t>(count));
    seconds_ += cpu_seconds() - start;
    ++used_.calls;
    used_.cycles += result.report.device_cycles;
    used_.clock_mhz = result.device.clock_mhz;
    return std::move(result.solution.impulse);
  }

  void close() { solver_.close(); }
  [[nodiscard]] const MethodDevice& used() const { return used_; }
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  static Options with_boxed(Options options) {
    options.program = "boxed";
    options.start = "cold";
    return options;
  }

  Solver solver_;
  MethodDevice used_;
  double seconds_ = 0;
};

void solve_interior(const model::RowProblem& frozen, int most_rounds, MethodResult* result) {
  methods::InteriorPointOptions options;
  if (most_rounds > 0) options.max_iterations = most_rounds;
  methods::InteriorPointSolution solution =
      methods::solve_interior_point(methods::scaled_rows(frozen), options);
  const auto iterations = static_cast<int>(solution.iterations.size());
  result->iterations += iterations;
  result->factorizations += iterations;
  result->factor_nonzeros = std::max(result->factor_nonzeros, solution.factor_nonzeros);
  result->reached = solution.reached;
  result->impulse = std::move(solution.impulse);
}

void solve_subspaces(const model::RowProblem& frozen, const std::vector<double>& start,
                     int most_rounds, DeviceSweeps* device, MethodResult* result) {
  methods::SubspaceOptions options;
  if (most_rounds > 0) options.max_rounds = most_rounds;
  const methods::ScaledRows rows = methods::scaled_rows(frozen);
  methods::CorrectionSweeps sweeps(frozen, rows, std::ref(*device));
  methods::SubspaceSolution solution = methods::solve_subspace(rows, sweeps, options, start);
  result->iterations += static_cast<int>(solution.rounds.size());
  result->sweeps += solution.sweeps;
  result->factorizations += solution.factorizations;
  result->factor_nonzeros = std::max(result->factor_nonzeros, solution.factor_nonzeros);
  result->reached = solution.reached;
  result->impulse = std::move(solution.impulse);
}

using SolveBoxed = std::function<void(const model::RowProblem&, const std::vector<double>&)>;

/// Lets friction follow the contacts around `solve_boxed`, which writes to `result`.
void follow_friction(const model::RowProblem& problem, const std::vector<double>& start,
                     int most_rounds, const SolveBoxed& solve_boxed, MethodResult* result) {
  methods::CoupledOptions options;
  if (most_rounds > 0) options.max_rounds = most_rounds;
  bool every_round = true;
  const auto round = [&](const model::RowProblem& frozen, const std::vector<double>& from) {
    solve_boxed(frozen, from);
    every_round = every_round && result->reached;
    return result->impulse;
  };
  methods::CoupledSolution coupled = methods::solve_coupled(problem, round, options, start);
  result->friction_rounds = coupled.rounds;
  result->impulse = std::move(coupled.impulse);
  result->reached = every_round && coupled.reached;
}

bool has_parents(const model::RowProblem& problem) {
  return std::any_of(problem.parent.begin(), problem.parent.end(),
                     [](std::int32_t parent) { return parent >= 0; });
}

methods::Example example_of(const std::string& method) {
  if (method == "explicit-2") return methods::Example::kFullVelocity;
  return method == "explicit-3" ? methods::Example::kStepVelocity : methods::Example::kMatrix;
}

/// On A itself, where friction follows in the sweeps.
void solve_with_matrix(const model::RowProblem& problem, const MethodOptions& method,
                       MethodResult* result) {
  const methods::ExplicitProblem given = methods::explicit_problem(problem);
  const methods::ExplicitOptions options{example_of(method.method), static_cast<int>(method.sweeps),
                                         method.threshold};
  methods::ExplicitSolution solution = methods::solve_explicit(given, options);
  result->sweeps = solution.sweeps;
  result->factor_nonzeros = given.a.value.size();
  result->reached = solution.reached;
  result->impulse = std::move(solution.impulse);
}

/// The velocities of a device drift: each step of each sweep is rounded to float32. What it takes
/// for converged is not, by the velocities that its impulses make.
void solve_mended(const model::RowProblem& problem, const Options& options,
                  const MethodOptions& method, MethodResult* result) {
  constexpr double kDeviceShare = 0.75;  // Of the threshold: the rest is for what drifts.
  constexpr int kMostRounds = 100;
  Options device = options;
  device.threshold = static_cast<float>(kDeviceShare * method.threshold);
  device.start = "warm";  // From zero in the first round, if that is asked for.
  const double opening = cpu_seconds();
  const Solver solver(device);
  result->host_seconds -= cpu_seconds() - opening;  // Once, not for each frame.
  model::RowProblem round = problem;
  if (options.start == "cold") {
    std::fill(round.impulse.begin(), round.impulse.end(), 0.0F);
    std::fill(round.velocity_change.begin(), round.velocity_change.end(), 0.0F);
  }
  result->device.emplace();
  const auto most = static_cast<int>(method.sweeps);
  while (!result->reached && result->sweeps < most && result->iterations < kMostRounds) {
    const double start = cpu_seconds();
    SolveResult solved = solver.solve(round, static_cast<std::uint32_t>(most - result->sweeps));
    result->host_seconds -= cpu_seconds() - start;
    ++result->iterations;
    ++result->device->calls;
    result->device->cycles += solved.report.device_cycles;
    result->device->clock_mhz = solved.device.clock_mhz;
    // A round without a sweep ends: float32 has no nearer one.
    if (solved.report.sweeps == 0 && result->iterations > 1) break;
    result->sweeps += static_cast<int>(solved.report.sweeps);
    round.impulse = std::move(solved.solution.impulse);
    result->impulse.assign(round.impulse.begin(), round.impulse.end());
    const std::vector<double> velocity = model::coupled_velocity(problem, round.impulse);
    round.velocity_change = in_float(velocity);
    result->reached =
        model::true_residual<double>(problem, result->impulse, velocity) <= method.threshold;
  }
}

void solve_boxed_or_coupled(const model::RowProblem& problem, const Options& options,
                            const MethodOptions& method, MethodResult* result) {
  std::optional<DeviceSweeps> device;
  const bool follows = has_parents(problem);
  const int inner_rounds = follows ? 0 : method.most_rounds;
  SolveBoxed solve_boxed = [&](const model::RowProblem& frozen, const std::vector<double>&) {
    solve_interior(frozen, inner_rounds, result);
  };
  if (method.method == "pgs-sm") {
    const double opening = cpu_seconds();
    device.emplace(options);
    result->host_seconds -= cpu_seconds() - opening;  // Once, not for each frame.
    solve_boxed = [&](const model::RowProblem& frozen, const std::vector<double>& from) {
      solve_subspaces(frozen, from, inner_rounds, &*device, result);
    };
  }
  const std::vector<double> warm(problem.impulse.begin(), problem.impulse.end());
  const std::vector<double> start =
      options.start == "warm" ? warm : std::vector<double>(problem.rows());
  if (follows) {
    follow_friction(problem, start, method.most_rounds, solve_boxed, result);
  } else {
    solve_boxed(problem, start);
  }
  if (!device) return;
  device->close();
  result->device = device->used();
  result->host_seconds -= device->seconds();
}

}  // namespace

const std::vector<std::string>& method_names() {
  static const std::vector<std::string> names{kSweepsMethod, "pgs-sm",     "interior-point",
                                              "explicit",    "explicit-2", "explicit-3",
                                              kMendedMethod};
  return names;
}

bool is_explicit(const std::string& method) {
  return method.rfind("explicit", 0) == 0;
}

methods::Residual residual_of(const model::RowProblem& problem,
                              const std::vector<double>& impulse) {
  const methods::ScaledRows rows =
      methods::scaled_rows(model::freeze_friction(problem, in_float(impulse)));
  return methods::residual(rows, impulse, rows.rates(impulse));
}

MethodResult solve_by_method(const model::RowProblem& given, const Options& options,
                             const MethodOptions& method) {
  const model::RowProblem problem = method.frozen ? frozen(given, options.problem) : given;
  MethodResult result;
  const double start = cpu_seconds();
  try {
    if (is_explicit(method.method)) {
      solve_with_matrix(problem, method, &result);
    } else if (method.method == kMendedMethod) {
      solve_mended(problem, options, method, &result);
    } else {
      solve_boxed_or_coupled(problem, options, method, &result);
    }
    result.host_seconds += cpu_seconds() - start;
    result.solution.impulse = in_float(result.impulse);
    result.solution.velocity_change = in_float(methods::velocity_of(problem, result.impulse));
    result.residual = residual_of(problem, result.impulse);
  } catch (const methods::MethodFailure& failure) {
    throw CliError(kExitMismatch,
                   options.problem + ": " + method.method + ": " + std::string(failure.what()));
  }
  return result;
}

}  // namespace ppu::sim
