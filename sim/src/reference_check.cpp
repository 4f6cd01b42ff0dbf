// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A run beside the Eigen reference, and beside the engine's own answer.
#include "reference_check.hpp"

#include <limits>
#include <optional>

#include "firmware_file.hpp"
#include "measures.hpp"
#include "ppu/model/comparison.hpp"
#include "progress.hpp"

namespace ppu::sim {
namespace {

/// The projection that the program's kernels with a step apply.
model::Projection projection_of(const std::string& program) {
  bool max = false;
  bool med = false;
  bool other = false;
  for (const firmware::Kernel& kernel : load_firmware(program).assembly.kernels) {
    const spec::ControlWord control = kernel.control;
    other = other || control.filter() == spec::Filter::kOn;
    if (control.step() == spec::Step::kOff) continue;
    const bool cone = control.bounds() == spec::Bounds::kCone;
    max = max || control.clamp() == spec::Clamp::kMax;
    med = med || (control.clamp() == spec::Clamp::kMed && cone);
    other = other || control.clamp() == spec::Clamp::kNone ||
            (control.clamp() == spec::Clamp::kMed && !cone);
  }
  if (other || max == med) {
    throw CliError(kExitUsage, program +
                                   ": the reference has no such program, expected kernels without "
                                   "tagged that all use max, or all use cone with med or limit");
  }
  return max ? model::Projection::kMax : model::Projection::kMed;
}

model::SolveOptions reference_options(const model::RowProblem& problem, const Options& options,
                                      const Run& run) {
  model::SolveOptions same;
  same.sweeps = static_cast<int>(run.report.sweeps);
  same.start = start_of(options) == PPU_START_WARM ? model::Start::kWarm : model::Start::kCold;
  same.friction = friction_of(options) == PPU_FRICTION_SKIP ? model::FrictionRule::kSkip
                                                            : model::FrictionRule::kClamp;
  same.projection = projection_of(options.program);
  // The scheduled order visits every body's rows as the engine does; only colours change that.
  if (order_of(options) == PPU_ORDER_COLOUR) same.order = slot_order(problem, options, run);
  return same;
}

}  // namespace

ReferenceCheck check_reference(const model::RowProblem& problem, const Options& options,
                               const Run& run) {
  const Progress progress("checks " + options.problem + " against Eigen");
  const model::SolveOptions same = reference_options(problem, options, run);
  model::RowProblem relaxed = problem;
  for (float& d : relaxed.inv_diagonal) d *= options.relaxation;
  const model::State exact = model::solve_rows(relaxed, same);
  return {model::relative_error(run.solution.impulse, exact.impulse),
          model::float_error_bound(relaxed, exact, same.sweeps)};
}

double error_against_engine(const model::RowProblem& problem, const Options& options,
                            const Run& run) {
  const std::optional<model::Reference>& engine = problem.reference;
  const bool same = engine && options.relaxation == 1 && options.sweeps_of.empty() &&
                    run.report.sweeps == static_cast<std::uint32_t>(engine->sweeps) &&
                    options.start == engine->start && options.friction == engine->friction_rule &&
                    order_of(options) != PPU_ORDER_COLOUR;
  if (!same) return std::numeric_limits<double>::quiet_NaN();
  return model::relative_error(run.solution.impulse,
                               {engine->impulse.begin(), engine->impulse.end()});
}

}  // namespace ppu::sim
