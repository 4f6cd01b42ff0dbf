// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A run beside the Eigen reference, and beside the engine's own answer.
#include "sim/report/reference_check.hpp"

#include <limits>
#include <optional>

#include "model/reference/comparison.hpp"
#include "sim/base/progress.hpp"
#include "sim/measure/measures.hpp"
#include "sim/solve/firmware_file.hpp"

namespace ppu::sim {
namespace {

/// The projection that the program's kernels with a step apply; none if the reference has no sweeps
/// of that kind.
std::optional<model::Projection> projection_of(const std::string& program) {
  bool max = false;
  bool med = false;
  bool other = false;
  for (const firmware::Kernel& kernel : load_firmware(program).assembly.kernels) {
    const spec::ControlWord control = kernel.control;
    other = other || control.filter() == spec::Filter::kOn || control.lead() == spec::Lead::kOn;
    if (control.step() == spec::Step::kOff) continue;
    const bool cone = control.bounds() == spec::Bounds::kCone;
    max = max || control.clamp() == spec::Clamp::kMax;
    med = med || (control.clamp() == spec::Clamp::kMed && cone);
    other = other || control.clamp() == spec::Clamp::kNone ||
            (control.clamp() == spec::Clamp::kMed && !cone);
  }
  if (other || max == med) return std::nullopt;
  return max ? model::Projection::kMax : model::Projection::kMed;
}

model::SolveOptions reference_options(const model::RowProblem& problem, const Options& options,
                                      const SolveResult& result) {
  model::SolveOptions same;
  same.sweeps = static_cast<int>(result.report.sweeps);
  same.start = start_of(options) == PPU_START_WARM ? model::Start::kWarm : model::Start::kCold;
  same.friction = friction_of(options) == PPU_FRICTION_SKIP ? model::FrictionRule::kSkip
                                                            : model::FrictionRule::kClamp;
  same.projection = projection_of(options.program).value();
  if (order_of(options) == PPU_ORDER_COLOUR) same.order = slot_order(problem, options);
  return same;
}

}  // namespace

std::string missing_reference(const Options& options, const SolveResult& result) {
  if (!projection_of(options.program))
    return "the reference has plain sweeps only, and the program has others: kernels with tagged "
           "or lead, or with another projection than max, or cone with med or limit";
  if (!options.sweeps_of.empty()) return "the reference has one number of sweeps for all rows";
  if (result.report.late) return "the reference has whole sweeps only, and the budget has cut one";
  return {};
}

ReferenceCheck check_reference(const model::RowProblem& problem, const Options& options,
                               const SolveResult& result) {
  const Progress progress("checks " + options.problem + " against Eigen");
  const model::SolveOptions same = reference_options(problem, options, result);
  model::RowProblem relaxed = problem;
  for (float& d : relaxed.inv_diagonal) d *= options.relaxation;
  const model::State exact = model::solve_rows(relaxed, same);
  return {model::relative_error(result.solution.impulse, exact.impulse),
          model::float_error_bound(relaxed, exact, same.sweeps)};
}

std::string other_question(const model::RowProblem& problem, const Options& options,
                           const SolveResult& result) {
  const model::Reference& engine = *problem.reference;
  std::string text;
  const auto differs = [&text](bool other, const std::string& option) {
    if (other) text += (text.empty() ? "" : ", ") + option;
  };
  differs(result.report.sweeps != static_cast<std::uint32_t>(engine.sweeps),
          "--sweeps " + std::to_string(engine.sweeps));
  differs(result.report.late, "no budget");
  differs(options.start != engine.start, "--start " + engine.start);
  differs(options.friction != engine.friction_rule, "--friction " + engine.friction_rule);
  differs(order_of(options) == PPU_ORDER_COLOUR, "--order engine");
  differs(options.relaxation != 1, "--relaxation 1");
  differs(!options.sweeps_of.empty(), "one number of sweeps");
  return text;
}

double error_against_engine(const model::RowProblem& problem, const Options& options,
                            const SolveResult& result) {
  if (!problem.reference || !other_question(problem, options, result).empty())
    return std::numeric_limits<double>::quiet_NaN();
  const std::vector<float>& impulse = problem.reference->impulse;
  return model::relative_error(result.solution.impulse, {impulse.begin(), impulse.end()});
}

}  // namespace ppu::sim
