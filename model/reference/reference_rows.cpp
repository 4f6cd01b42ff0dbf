// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Examples 4-6 of US 7,079,145 in double precision, over compressed rows.
#include "model/arithmetic/row_arithmetic.hpp"
#include "model/reference/reference.hpp"
#include "model/reference/state.hpp"

namespace ppu::model {
namespace {

/// One row: eq. (24) u = b + J_a.v_a + J_b.v_b, eq. (20)/(25) the step and its projection, eq. (21)
/// and (22) the velocities. Returns u.
double update(const RowProblem& problem, const SolveOptions& options, std::size_t i, State& state) {
  const double u = rate_of(problem, state.impulse, state.velocity, i);
  const double d = static_cast<double>(problem.inv_diagonal[i]);
  const double x = state.impulse[i];
  const double next = project(problem, options, state.impulse, i, x - d * u);
  add_impulse(problem, i, next - x, state.velocity);
  state.impulse[i] = next;
  return u;
}

/// What a row adds to max_u, eq. (23). The printed test lets a row with lo = hi count whichever way
/// u points, since it is at both bounds. A sliding contact whose normal impulse is 0 has lo = hi =
/// 0 in its friction rows, so their sliding speed would count for ever and the loop never end;
/// boxing_violation() never counts such a row: no impulse could change it. The printed |u| > Thres
/// for rows inside their bounds is not repeated: at or below Thres they do not keep the loop going.
double counted(const RowProblem& problem, const State& state, std::size_t i, double u) {
  const auto bounds = bounds_of(problem, state.impulse, i);
  return boxing_violation(u, state.impulse[i], bounds.lower, bounds.upper);
}

/// x + factor*(x - before).
std::vector<double> extrapolate(const std::vector<double>& x, const std::vector<double>& before,
                                double factor) {
  std::vector<double> lead(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) lead[i] = x[i] + factor * (x[i] - before[i]);
  return lead;
}

}  // namespace

State solve_rows(const RowProblem& problem, const SolveOptions& options) {
  State state = start_state(problem, options.start);
  const auto order = visit_order(problem, options);
  for (int sweep = 0; sweep < options.sweeps; ++sweep) {
    for (const std::size_t i : order) {
      if (!is_skipped(problem, options, state.impulse, i)) update(problem, options, i, state);
    }
  }
  return state;
}

State solve_visits(const RowProblem& problem, const SolveOptions& options, const Visits& visits) {
  State state = start_state(problem, options.start);
  for (const std::vector<std::size_t>& rows : visits)
    for (const std::size_t i : rows)
      if (!is_skipped(problem, options, state.impulse, i)) update(problem, options, i, state);
  return state;
}

State solve_leading(const RowProblem& problem, const SolveOptions& options,
                    const std::vector<float>& factors) {
  if (options.friction == FrictionRule::kSkip)
    throw std::invalid_argument("a row that is held has no lead");
  State state = start_state(problem, options.start);
  const auto order = visit_order(problem, options);
  std::vector<double> lead = state.impulse;
  std::vector<double> base = state.velocity;
  for (const float factor : factors) {
    const std::vector<double> before = state.impulse;
    for (const std::size_t i : order) {
      state.impulse[i] = lead[i];  // Only for its own update: others see x.
      update(problem, options, i, state);
    }
    lead = extrapolate(state.impulse, before, static_cast<double>(factor));
    const std::vector<double> reached = state.velocity;
    if (&factor != &factors.back())
      state.velocity = extrapolate(reached, base, static_cast<double>(factor));
    base = reached;
  }
  return state;
}

Visits sweeps_by_row(const RowProblem& problem, const SolveOptions& options,
                     const std::vector<std::uint32_t>& sweeps_of_row) {
  const auto order = visit_order(problem, options);
  Visits visits;
  for (const std::size_t i : order) {
    if (visits.size() < sweeps_of_row[i]) visits.resize(sweeps_of_row[i]);
    for (std::uint32_t sweep = 0; sweep < sweeps_of_row[i]; ++sweep) visits[sweep].push_back(i);
  }
  return visits;
}

ThresholdSolve solve_to_threshold(const RowProblem& problem, const SolveOptions& options,
                                  double threshold) {
  ThresholdSolve run;
  run.state = start_state(problem, options.start);
  const auto order = visit_order(problem, options);
  const auto pass = [&](auto rate) {
    double largest = 0;
    for (const std::size_t i : order) {
      if (is_skipped(problem, options, run.state.impulse, i)) continue;
      const double u = rate(i);
      largest = std::max(largest, counted(problem, run.state, i, u));
    }
    return largest;
  };
  do {
    // This pass only looks. From a cold start v = 0 and u = b, as printed.
    run.max_u = pass(
        [&](std::size_t i) { return rate_of(problem, run.state.impulse, run.state.velocity, i); });
    if (run.max_u <= threshold) break;
    while (threshold < run.max_u && run.sweeps < options.sweeps) {
      run.max_u = pass([&](std::size_t i) { return update(problem, options, i, run.state); });
      ++run.sweeps;
    }
  } while (run.max_u <= threshold);
  run.reached = run.max_u <= threshold;
  return run;
}

RowProblem freeze_friction(const RowProblem& problem, const std::vector<float>& impulse) {
  RowProblem frozen = problem;
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    if (problem.parent[i] < 0) continue;
    const auto bounds = bounds_of(problem, impulse, i);
    frozen.lower[i] = bounds.lower;
    frozen.upper[i] = bounds.upper;
    frozen.parent[i] = -1;
  }
  return frozen;
}

}  // namespace ppu::model
