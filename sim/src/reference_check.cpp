// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A run beside the Eigen reference: the same sweeps in double precision.
#include "reference_check.hpp"

#include <algorithm>
#include <cmath>

#include "firmware_file.hpp"
#include "measures.hpp"
#include "ppu/model/reference.hpp"

namespace ppu::sim {
namespace {

/// The projection that the program's kernels with a step apply.
model::Projection projection_of(const std::string& program) {
  bool max = false;
  bool med = false;
  bool other = false;
  for (const firmware::Kernel& kernel : load_firmware(program).assembly.kernels) {
    const spec::ControlWord control = kernel.control;
    if (control.step() == spec::Step::kOff) continue;
    const bool cone = control.bounds() == spec::Bounds::kCone;
    max = max || control.clamp() == spec::Clamp::kMax;
    med = med || (control.clamp() == spec::Clamp::kMed && cone);
    other = other || control.clamp() == spec::Clamp::kNone ||
            (control.clamp() == spec::Clamp::kMed && !cone);
  }
  if (other || max == med) {
    throw CliError(kExitUsage, program +
                                   ": the reference has no such program, expected kernels that all "
                                   "use max, or all use cone with med or limit");
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

double error_bound(std::uint32_t sweeps) {
  return 16 * std::ldexp(sweeps, -24);
}

ReferenceCheck check_reference(const model::RowProblem& problem, const Options& options,
                               const Run& run) {
  const model::State exact = model::solve_rows(problem, reference_options(problem, options, run));
  double largest = 0;
  double difference = 0;
  for (std::size_t row = 0; row < problem.rows(); ++row) {
    const double impulse = run.solution.impulse[row];
    largest = std::max(largest, std::abs(exact.impulse[row]));
    difference = std::max(difference, std::abs(impulse - exact.impulse[row]));
  }
  return {largest > 0 ? difference / largest : difference, error_bound(run.report.sweeps)};
}

}  // namespace ppu::sim
