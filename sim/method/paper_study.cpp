// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Measurements for the tables of the papers.
#include "sim/method/paper_study.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include "model/methods/interior_point.hpp"
#include "model/methods/scaled_rows.hpp"
#include "model/methods/subspace.hpp"
#include "model/methods/sweeps.hpp"
#include "sim/base/cpu_clock.hpp"
#include "sim/method/device_time.hpp"

namespace ppu::sim {
namespace {

namespace methods = model::methods;

bool at_bound(const methods::ScaledRows& rows, std::size_t i, double x) {
  return x == rows.lower[i] || x == rows.upper[i];
}

std::size_t nonzeros_of(const methods::ScaledRows& rows) {
  std::vector<std::vector<std::size_t>> of_body(rows.bodies);
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (const std::int32_t body : rows.body[i])
      if (body >= 0) of_body[static_cast<std::size_t>(body)].push_back(i);
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    std::set<std::size_t> with{i};
    for (const std::int32_t body : rows.body[i]) {
      if (body < 0) continue;
      const auto& others = of_body[static_cast<std::size_t>(body)];
      with.insert(others.begin(), others.end());
    }
    count += with.size();
  }
  return count;
}

PlainSweeps sweep_alone(const methods::ScaledRows& rows, const std::vector<double>& solution,
                        int most) {
  PlainSweeps plain;
  std::vector<bool> is_active(rows.rows());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    is_active[i] = at_bound(rows, i, solution[i]);
    plain.active += is_active[i] ? 1 : 0;
  }
  methods::HostSweeps sweeps(rows);
  std::vector<double> x(rows.rows());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = rows.clamped(i, 0);
  std::size_t level = 0;
  for (int k = 1; k <= most && level < plain.kLevels.size(); ++k) {
    const double start = cpu_seconds();
    sweeps.sweep(x, 1);
    plain.seconds += cpu_seconds() - start;
    const double now = methods::residual(rows, x, rows.rates(x)).paper;
    for (; level < plain.kLevels.size() && now <= plain.kLevels[level]; ++level)
      plain.sweeps[level] = k;
    const auto* const look = std::find(plain.kLooks.begin(), plain.kLooks.end(), k);
    if (look == plain.kLooks.end()) continue;
    auto& found = plain.found[static_cast<std::size_t>(look - plain.kLooks.begin())];
    for (std::size_t i = 0; i < x.size(); ++i)
      if (is_active[i] && at_bound(rows, i, x[i])) ++found;
    ++plain.looks;
  }
  return plain;
}

/// A sweep takes the same cycles whatever its numbers are: two runs tell how many.
void time_sweeps(const model::RowProblem& problem, const Solver& device, PlainSweeps& plain) {
  constexpr std::uint32_t kFew = 2, kMore = 12;
  const double few = device_ms(device.solve(problem, kFew));
  plain.device_ms_each = (device_ms(device.solve(problem, kMore)) - few) / (kMore - kFew);
  plain.device_ms = few - kFew * plain.device_ms_each;
}

/// Seconds of the processor and milliseconds of the device from its making.
class SweepClock {
 public:
  /// Runs sweeps there; what the host does to have them run is not counted.
  methods::RunSweeps on(const Solver& device) {
    return [this, &device](const model::RowProblem& correction, int count) {
      const double start = cpu_seconds();
      SolveResult solved = device.solve(correction, static_cast<std::uint32_t>(count));
      device_ms_ += device_ms(solved);
      start_ += cpu_seconds() - start;
      return std::move(solved.solution.impulse);
    };
  }
  [[nodiscard]] double seconds() const { return cpu_seconds() - start_; }
  [[nodiscard]] double on_device_ms() const { return device_ms_; }

 private:
  double start_ = cpu_seconds();
  double device_ms_ = 0;
};

FactorCosts costs_of(const methods::SubspaceSolution& solved, const SweepClock& clock) {
  return {solved.factorizations, solved.sweeps,         solved.factor_nonzeros, clock.seconds(),
          clock.on_device_ms(),  solved.residual.paper, solved.reached};
}

FactorCosts by_subspaces(const model::RowProblem& problem, const methods::ScaledRows& rows,
                         const Solver& device, int sweeps, int steps,
                         std::vector<double>* solution) {
  methods::SubspaceOptions options;
  options.sweeps_per_round = sweeps;
  options.steps_per_round = steps;
  SweepClock clock;
  methods::CorrectionSweeps swept(problem, rows, clock.on(device));
  methods::SubspaceSolution solved = methods::solve_subspace(rows, swept, options);
  const FactorCosts costs = costs_of(solved, clock);
  *solution = std::move(solved.impulse);
  return costs;
}

constexpr int kCauseRounds = 30;

FactorCosts on_host(const methods::ScaledRows& rows, bool has_proximal) {
  methods::SubspaceOptions options;
  options.max_rounds = kCauseRounds;
  if (!has_proximal) options.proximal = methods::Proximal{0, 0, 1, 0, 0};
  methods::HostSweeps host(rows);
  const SweepClock clock;
  try {
    return costs_of(methods::solve_subspace(rows, host, options), clock);
  } catch (const methods::MethodFailure&) {
    return {};  // A singular matrix, which only the proximal term makes a definite one.
  }
}

FactorCauses causes_of(const model::RowProblem& problem, const methods::ScaledRows& rows) {
  methods::ScaledRows unbounded = rows;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (problem.kind[i] != model::RowKind::kFriction) continue;
    unbounded.lower[i] = -HUGE_VAL;
    unbounded.upper[i] = HUGE_VAL;
  }
  return {on_host(unbounded, false), on_host(unbounded, true), on_host(rows, false),
          on_host(rows, true)};
}

FactorCosts by_interior_point(const methods::ScaledRows& rows) {
  const double start = cpu_seconds();
  const auto solved = methods::solve_interior_point(rows, {});
  return {static_cast<int>(solved.iterations.size()),
          0,
          solved.factor_nonzeros,
          cpu_seconds() - start,
          0,
          solved.residual.paper,
          solved.reached};
}

IncompleteCosts by_gradients(const methods::ScaledRows& rows, double drop_tolerance) {
  methods::InteriorPointOptions options;
  options.system.factor.factor = methods::Factor::kIncomplete;
  options.system.factor.drop_tolerance = drop_tolerance;
  IncompleteCosts costs;
  costs.drop_tolerance = drop_tolerance;
  const double start = cpu_seconds();
  try {
    const auto solved = methods::solve_interior_point(rows, options);
    costs.gradient_steps = solved.gradient_steps;
    costs.factor_numbers = solved.factor_nonzeros;
    costs.iterations = static_cast<int>(solved.iterations.size());
    costs.reached = solved.reached;
  } catch (const methods::MethodFailure&) {
    // Conjugate gradients do not end: so much is dropped that the factor is none of this matrix.
  }
  costs.seconds = cpu_seconds() - start;
  return costs;
}

}  // namespace

PaperResult measure_for_papers(const model::RowProblem& problem, const Solver& device,
                               const PaperLimits& limits) {
  const methods::ScaledRows rows = methods::scaled_rows(problem);
  PaperResult result;
  result.rows = rows.rows();
  result.bodies = rows.bodies;
  result.nonzeros = nonzeros_of(rows);
  std::vector<double> solution;
  const auto by = [&](int sweeps, int steps) {
    return by_subspaces(problem, rows, device, sweeps, steps, &solution);
  };
  result.subspace[0] = by(2, 3);
  result.subspace[2] = by(5, 2);
  result.subspace[1] = by(5, 3);
  result.causes = causes_of(problem, rows);
  result.interior = by_interior_point(rows);
  using methods::Form;
  using methods::Ordering;
  const auto size = [&rows](Form form, Ordering ordering) {
    return methods::predicted_factor_nonzeros(rows, form, ordering);
  };
  result.sizes = {
      size(Form::kPrimal, Ordering::kNatural), size(Form::kPrimal, Ordering::kReverseCuthillMcKee),
      size(Form::kDual, Ordering::kNatural), size(Form::kDual, Ordering::kReverseCuthillMcKee),
      size(Form::kSmaller, Ordering::kReverseCuthillMcKee)};
  if (rows.rows() <= limits.most_incomplete)
    for (const double tolerance : {1e-3, 1e-4, 1e-8})
      result.incomplete.push_back(by_gradients(rows, tolerance));
  result.plain = sweep_alone(rows, solution, limits.most_sweeps);
  time_sweeps(problem, device, result.plain);
  return result;
}

}  // namespace ppu::sim
