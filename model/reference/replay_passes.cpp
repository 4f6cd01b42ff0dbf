// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Gathers, updates and scatters one row after the other.
#include "model/reference/replay_passes.hpp"

#include <algorithm>

#include "model/reference/state.hpp"

namespace ppu::model {

PassReplay::PassReplay(const RowProblem& problem, const SolveOptions& options, spec::Form form)
    : problem_(problem),
      options_(options),
      form_(form),
      order_(visit_order(problem, options)),
      tag_(problem.bodies(), 0),
      next_tag_(problem.bodies(), 0) {
  if (form == spec::Form::kImpulse && options.projection == Projection::kMax) {
    throw std::invalid_argument("the impulse form has no max projection, only bounds");
  }
  state_.impulse.assign(problem.rows(), 0.0F);
  state_.velocity_change.assign(6 * problem.bodies(), 0.0F);
  if (options.start == Start::kWarm) {
    state_.impulse = problem.impulse;
    state_.velocity_change = problem.velocity_change;
  }
  lead_ = state_.impulse;
}

RowControl PassReplay::kernel() const {
  RowControl control;
  control.form = form_;
  if (options_.friction == FrictionRule::kSkip) control.skip = spec::Skip::kOn;
  if (options_.projection == Projection::kMax) control.clamp = spec::Clamp::kMax;
  return control;
}

void PassReplay::tag_next() {
  tag_ = next_tag_;
  std::fill(next_tag_.begin(), next_tag_.end(), std::uint8_t{0});
}

void PassReplay::settle() {
  base_ = state_.velocity_change;
  extrapolating_ = false;
}

void PassReplay::go_ahead() {
  const std::vector<float> before = state_.velocity_change;
  for (std::size_t i = 0; i < before.size(); ++i)
    state_.velocity_change[i] = before[i] + lead_factor_ * (before[i] - base_[i]);
  base_ = before;
  extrapolating_ = true;
}

bool PassReplay::is_tagged(std::size_t row) const {
  const auto& pair = problem_.body[row];
  return std::any_of(pair.begin(), pair.end(), [this](std::int32_t body) {
    return body >= 0 && tag_[static_cast<std::size_t>(body)] != 0;
  });
}

RowOperands PassReplay::gather(std::size_t i) const {
  const RowProblem& p = problem_;
  RowOperands in{};
  in.jacobian = &p.jacobian[12 * i];
  in.inv_mass_jacobian = &p.inv_mass_jacobian[12 * i];
  in.inv_diagonal = p.inv_diagonal[i];
  const bool rate = form_ == spec::Form::kRate;
  in.bias = rate ? p.rate_bias[i] : impulse_form_bias(p.rate_bias[i], p.inv_diagonal[i]);
  in.compliance =
      rate ? p.compliance[i] : impulse_form_compliance(p.compliance[i], p.inv_diagonal[i]);
  in.stored = state_.impulse[i];
  in.lead_factor = lead_factor_;
  in.impulse = in.stored;
  in.has_parent = p.parent[i] >= 0;
  in.lower = p.lower[i];
  in.upper = in.has_parent ? p.friction[i] : p.upper[i];
  if (in.has_parent) in.parent_impulse = state_.impulse[static_cast<std::size_t>(p.parent[i])];
  in.mark_threshold = mark_threshold_;
  for (std::size_t k = 0; k < 12; ++k) {
    const std::int32_t body = p.body[i][k / 6];
    if (body >= 0)
      in.velocity[k] = state_.velocity_change[6 * static_cast<std::size_t>(body) + k % 6];
  }
  return in;
}

void PassReplay::scatter(const RowResult& result, const RowControl& control, std::size_t i) {
  if (control.store_impulse == spec::StoreImpulse::kOn) {
    state_.impulse[i] = result.impulse;
    lead_[i] = result.lead;
  }
  for (std::size_t half = 0; half < 2; ++half) {
    if (problem_.body[i][half] < 0) continue;
    const auto body = static_cast<std::size_t>(problem_.body[i][half]);
    if (half == 0 ? result.mark_a : result.mark_b) next_tag_[body] = 1;
    if (control.store_velocity == spec::StoreVelocity::kOn)
      std::copy_n(&result.velocity[6 * half], 6, &state_.velocity_change[6 * body]);
  }
}

Pass PassReplay::run(const RowControl& control, const std::vector<std::size_t>& rows) {
  const spec::ControlWord word = control_word(control);
  Pass pass;
  for (const std::size_t i : rows) {
    if (control.filter == spec::Filter::kOn && !is_tagged(i)) continue;
    RowOperands in = gather(i);
    if (extrapolating_ && control.lead == spec::Lead::kOn) in.impulse = lead_[i];
    const RowResult result = update_row(word, in);
    if (result.fault) {
      state_.fault_row = i;
      return pass;
    }
    const bool quotient = control.resid == spec::Resid::kQuotient && result.delta != 0.0F;
    pass.max_residual = std::max(
        pass.max_residual, quotient ? quotient_(result.delta, in.inv_diagonal) : result.residual);
    pass.rows.push_back(i);
    scatter(result, control, i);
  }
  return pass;
}

}  // namespace ppu::model
