// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The plain float32 solver over update_row.
#include "ppu/model/replay.hpp"

#include "ppu/model/control.hpp"
#include "state.hpp"

namespace ppu::model {
namespace {

spec::ControlWord sweep_control(const SolveOptions& options, spec::Form form) {
  RowControl control;
  control.form = form;
  if (options.friction == FrictionRule::kSkip) control.skip = spec::Skip::kOn;
  if (options.projection == Projection::kMax) control.clamp = spec::Clamp::kMax;
  return control_word(control);
}

RowOperands gather(const RowProblem& p, spec::Form form, const Solution& state, std::size_t i) {
  RowOperands in{};
  in.jacobian = &p.jacobian[12 * i];
  in.inv_mass_jacobian = &p.inv_mass_jacobian[12 * i];
  in.inv_diagonal = p.inv_diagonal[i];
  const bool rate = form == spec::Form::kRate;
  in.bias = rate ? p.rate_bias[i] : impulse_form_bias(p.rate_bias[i], p.inv_diagonal[i]);
  in.compliance =
      rate ? p.compliance[i] : impulse_form_compliance(p.compliance[i], p.inv_diagonal[i]);
  in.impulse = state.impulse[i];
  in.has_parent = p.parent[i] >= 0;
  in.lower = p.lower[i];
  in.upper = in.has_parent ? p.friction[i] : p.upper[i];
  if (in.has_parent) in.parent_impulse = state.impulse[static_cast<std::size_t>(p.parent[i])];
  for (std::size_t k = 0; k < 12; ++k) {
    const std::int32_t body = p.body[i][k / 6];
    if (body >= 0)
      in.velocity[k] = state.velocity_change[6 * static_cast<std::size_t>(body) + k % 6];
  }
  return in;
}

void scatter(const RowProblem& p, const RowResult& result, std::size_t i, Solution& state) {
  state.impulse[i] = result.impulse;
  for (std::size_t k = 0; k < 12; ++k) {
    const std::int32_t body = p.body[i][k / 6];
    if (body >= 0) {
      state.velocity_change[6 * static_cast<std::size_t>(body) + k % 6] = result.velocity[k];
    }
  }
}

}  // namespace

float impulse_form_bias(float rate_bias, float inv_diagonal) {
  return -(rate_bias * inv_diagonal);
}

float impulse_form_compliance(float compliance, float inv_diagonal) {
  return compliance * inv_diagonal;
}

Replay replay(const RowProblem& problem, const SolveOptions& options, spec::Form form) {
  if (form == spec::Form::kImpulse && options.projection == Projection::kMax) {
    throw std::invalid_argument("the impulse form has no max projection, only bounds");
  }
  Replay run;
  run.impulse.assign(problem.rows(), 0.0F);
  run.velocity_change.assign(6 * problem.bodies(), 0.0F);
  if (options.start == Start::kWarm) {
    run.impulse = problem.impulse;
    run.velocity_change = problem.velocity_change;
  }
  const auto order = visit_order(problem, options);
  const spec::ControlWord control = sweep_control(options, form);
  for (int sweep = 0; sweep < options.sweeps; ++sweep) {
    for (const std::size_t i : order) {
      const RowResult result = update_row(control, gather(problem, form, run, i));
      if (result.fault) {
        run.fault_row = i;
        return run;
      }
      scatter(problem, result, i, run);
    }
  }
  return run;
}

}  // namespace ppu::model
