// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Solves by the other methods of the source papers.
#include "sim/method/method.hpp"

#include <algorithm>

#include "model/reference/reference.hpp"
#include "sim/base/progress.hpp"
#include "sim/base/text.hpp"
#include "sim/problem/frozen.hpp"
#include "sim/problem/problem.hpp"
#include "sim/solve/solver.hpp"

namespace ppu::sim {
namespace {

namespace methods = model::methods;

std::vector<float> in_float(const std::vector<double>& numbers) {
  return {numbers.begin(), numbers.end()};
}

bool sweeps_on_device(ppu_method method) {
  return method == PPU_METHOD_PGS_SM || method == PPU_METHOD_CROSSOVER ||
         method == PPU_METHOD_MENDED;
}

/// The device of the options with the program that the method sweeps with.
Solver sweeper(const Options& options, const ppu_method_def& def) {
  Options device = options;
  if (def.method == PPU_METHOD_MENDED) {
    device.threshold = def.solve.threshold;
  } else {
    device.program = "boxed";
  }
  return Solver(device);
}

MethodResult result_of(const ppu_method_report& report) {
  MethodResult result;
  result.reached = report.reached;
  result.friction_rounds = static_cast<int>(report.friction_rounds);
  result.iterations = static_cast<int>(report.iterations);
  result.sweeps = static_cast<int>(report.sweeps);
  result.factorizations = static_cast<int>(report.factorizations);
  result.factor_nonzeros = report.factor_numbers;
  result.residual = {report.paper_residual, report.natural_residual, report.relative_residual,
                     report.max_residual};
  result.host_seconds = report.host_seconds;
  return result;
}

}  // namespace

const std::vector<std::string>& method_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{kSweepsMethod};
    for (std::size_t i = 0; ppu_method_name(i) != nullptr; ++i)
      all.emplace_back(ppu_method_name(i));
    return all;
  }();
  return names;
}

bool is_explicit(const std::string& method) {
  return method.rfind("explicit", 0) == 0;
}

ppu_method_def method_def(const MethodOptions& method) {
  const auto& names = method_names();
  const auto place = std::find(names.begin() + 1, names.end(), method.method);
  ppu_method_def def = ppu_default_method_def(static_cast<ppu_method>(place - (names.begin() + 1)));
  def.max_rounds = static_cast<std::uint32_t>(method.most_rounds);
  def.solve.max_sweeps = method.sweeps.value_or(def.solve.max_sweeps);
  def.solve.threshold = method.threshold.value_or(def.solve.threshold);
  return def;
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
  ppu_method_def def = method_def(method);
  std::optional<Solver> solver;
  if (sweeps_on_device(def.method)) {
    solver.emplace(sweeper(options, def));
    const ppu_solve_def asked = def.solve;
    def.solve = solver->solve_def(problem, asked.max_sweeps);
    def.solve.threshold = asked.threshold;
  }
  std::vector<double> impulse(problem.rows()), velocity(6 * problem.bodies());
  ppu_method_report report{};
  {
    const Progress progress(method.method + " solves " + options.problem + ", " +
                            grouped(problem.rows()) + " rows");
    const ppu_problem rows = view(problem);
    const ppu_result code = ppu_method_solve(solver ? solver->device().get() : ppu_device{}, &rows,
                                             &def, impulse.data(), velocity.data(), &report);
    if (code != PPU_OK) throw FailedSolve(code, options);
  }
  MethodResult result = result_of(report);
  if (solver) {
    const auto clock = solver->device().info().clock_mhz;
    result.device =
        MethodDevice{report.device_calls, report.device_cycles, static_cast<double>(clock)};
    solver->close();
  }
  result.solution.impulse = in_float(impulse);
  result.solution.velocity_change = in_float(velocity);
  result.impulse = std::move(impulse);
  return result;
}

}  // namespace ppu::sim
