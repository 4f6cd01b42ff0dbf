// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Sweeps of the float32 solver, and the programs that decide when to stop and which rows to visit.
#include "model/reference/replay.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "model/reference/replay_passes.hpp"

namespace ppu::model {
namespace {

/// A kernel that only looks.
RowControl probe_of(RowControl control) {
  control.step = spec::Step::kOff;
  control.clamp = spec::Clamp::kNone;
  control.axpy = spec::Axpy::kOff;
  control.store_velocity = spec::StoreVelocity::kOff;
  control.store_impulse = spec::StoreImpulse::kOff;
  control.resid = spec::Resid::kBoxed;
  return control;
}

/// Sweeps with `control` while the threshold is passed, at most `most` in all; false at the end of
/// them or at a fault. `before` is called ahead of each.
template <class Before>
bool sweep_until(PassReplay& passes, const RowControl& control, float threshold, int most,
                 DecidedReplay& run, Before before) {
  while (run.sweeps < most) {
    before();
    Pass pass = passes.run(control);
    run.last_residual = pass.max_residual;
    run.visits.push_back(std::move(pass.rows));
    if (passes.faulted()) return false;
    ++run.sweeps;
    if (run.last_residual <= threshold) return true;
  }
  return false;
}

float float_of(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Sweeps with leads, as firmware/programs/nesterov.s has them, from one probe to the next; false
/// at the end of them or at a fault.
bool lead_until(PassReplay& passes, const RowControl& control, float threshold, int most,
                DecidedReplay& run) {
  constexpr std::uint32_t kFirst = 0x3e800000, kGrowth = 0x00180000, kLargest = 0x3f500000;
  float smallest = run.last_residual;
  std::uint32_t factor = kFirst;
  while (run.sweeps < most) {
    passes.set_lead_factor(float_of(factor));
    Pass pass = passes.run(control);
    run.last_residual = pass.max_residual;
    run.visits.push_back(std::move(pass.rows));
    run.factors.push_back(0);
    if (passes.faulted()) return false;
    ++run.sweeps;
    if (run.last_residual <= threshold) return true;
    if (run.sweeps == most) return false;
    if (run.last_residual > 4 * smallest) {
      smallest = run.last_residual;
      factor = kFirst;
      passes.settle();
      continue;
    }
    smallest = std::min(smallest, run.last_residual);
    passes.go_ahead();
    run.factors.back() = float_of(factor);
    factor = std::min(factor + kGrowth, kLargest);
  }
  return false;
}

DecidedReplay ended(DecidedReplay run, const PassReplay& passes) {
  static_cast<Replay&>(run) = passes.state();
  return run;
}

}  // namespace

float impulse_form_bias(float rate_bias, float inv_diagonal) {
  return -(rate_bias * inv_diagonal);
}

float impulse_form_compliance(float compliance, float inv_diagonal) {
  return compliance * inv_diagonal;
}

float device_quotient(float delta, float inv_diagonal) {
  return std::fabs(delta / inv_diagonal);
}

float bullet_quotient(float delta, float inv_diagonal) {
  const double reciprocal = 1. / static_cast<double>(inv_diagonal);
  return std::fabs(static_cast<float>(static_cast<double>(delta) * reciprocal));
}

Replay replay(const RowProblem& problem, const SolveOptions& options, spec::Form form) {
  PassReplay passes(problem, options, form);
  for (int sweep = 0; sweep < options.sweeps && !passes.faulted(); ++sweep)
    passes.run(passes.kernel());
  return passes.state();
}

Replay replay_visits(const RowProblem& problem, const SolveOptions& options, const Visits& visits) {
  PassReplay passes(problem, options, spec::Form::kRate);
  for (const std::vector<std::size_t>& rows : visits)
    if (!passes.faulted()) passes.run(passes.kernel(), rows);
  return passes.state();
}

DecidedReplay replay_threshold(const RowProblem& problem, const SolveOptions& options,
                               float threshold) {
  PassReplay passes(problem, options, spec::Form::kRate);
  RowControl sweep = passes.kernel();
  sweep.resid = spec::Resid::kBoxed;
  DecidedReplay run;
  do {
    run.last_residual = passes.run(probe_of(sweep)).max_residual;
    if (passes.faulted() || run.last_residual <= threshold) break;
  } while (sweep_until(passes, sweep, threshold, options.sweeps, run, [] {}));
  return ended(std::move(run), passes);
}

DecidedReplay replay_nesterov(const RowProblem& problem, const SolveOptions& options,
                              float threshold) {
  PassReplay passes(problem, options, spec::Form::kRate);
  RowControl sweep = passes.kernel();
  sweep.resid = spec::Resid::kBoxed;
  sweep.lead = spec::Lead::kOn;
  DecidedReplay run;
  while (true) {
    passes.settle();
    run.last_residual = passes.run(probe_of(passes.kernel())).max_residual;
    if (passes.faulted() || run.last_residual <= threshold) break;
    if (!lead_until(passes, sweep, threshold, options.sweeps, run)) break;
  }
  return ended(std::move(run), passes);
}

DecidedReplay replay_filter(const RowProblem& problem, const SolveOptions& options,
                            const FilterRule& rule) {
  PassReplay passes(problem, options, spec::Form::kRate);
  passes.set_mark_threshold(rule.mark_threshold);
  passes.tag_all();
  RowControl probe = probe_of(passes.kernel());
  RowControl sweep = passes.kernel();
  sweep.resid = spec::Resid::kBoxed;
  sweep.filter = spec::Filter::kOn;
  sweep.mark = spec::Mark::kOn;
  if (rule.verified) probe.mark = spec::Mark::kOn;
  DecidedReplay run;
  do {
    run.last_residual = passes.run(probe).max_residual;
    if (passes.faulted() || run.last_residual <= rule.threshold) break;
  } while (sweep_until(passes, sweep, rule.threshold, options.sweeps, run,
                       [&passes] { passes.tag_next(); }) &&
           rule.verified);
  return ended(std::move(run), passes);
}

DecidedReplay replay_impulse_threshold(const RowProblem& problem, const SolveOptions& options,
                                       float threshold, Quotient quotient) {
  PassReplay passes(problem, options, spec::Form::kImpulse);
  passes.set_quotient(quotient);
  RowControl sweep = passes.kernel();
  sweep.resid = spec::Resid::kQuotient;
  DecidedReplay run;
  sweep_until(passes, sweep, threshold, options.sweeps, run, [] {});
  return ended(std::move(run), passes);
}

}  // namespace ppu::model
