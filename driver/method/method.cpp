// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Solves by other methods than sweeps alone.
#include "driver/method/method.hpp"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "driver/base/failure.hpp"
#include "driver/method/method_problem.hpp"
#include "model/methods/coupled_friction.hpp"
#include "model/methods/explicit_matrix.hpp"
#include "model/methods/interior_point.hpp"
#include "model/methods/subspace.hpp"
#include "model/reference/reference.hpp"
#include "model/reference/residual.hpp"

namespace ppu::driver {
namespace {

namespace methods = model::methods;
using Impulses = std::vector<double>;

/// Processor time of this thread.
double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::vector<float> in_float(const Impulses& numbers) {
  return {numbers.begin(), numbers.end()};
}

/// Where the first step of a row is as large as what stands for no bound, nothing is left of the
/// other numbers.
void check_steps(const model::RowProblem& problem) {
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    const double step = std::fabs(static_cast<double>(problem.rate_bias[i]) *
                                  static_cast<double>(problem.inv_diagonal[i]));
    if (step < methods::kNoBound) continue;
    fail(PPU_ERROR_NUMERIC, "row ", i, ": rate_bias is ", problem.rate_bias[i],
         ", which asks for an impulse of ", step, " N s, expected less than ", methods::kNoBound,
         " N s");
  }
}

/// One solve: what it is made of, and what is known of it so far.
class MethodSolve {
 public:
  MethodSolve(const SweepDevice& device, const ppu_method_def& def, model::RowProblem problem)
      : device_(device), def_(def), problem_(std::move(problem)) {}

  void run() {
    check_steps(problem_);
    const double start = thread_seconds();
    switch (def_.method) {
      case PPU_METHOD_PGS_SM:
      case PPU_METHOD_INTERIOR_POINT:
      case PPU_METHOD_CROSSOVER:
        run_boxed_or_coupled();
        break;
      case PPU_METHOD_EXPLICIT:
      case PPU_METHOD_EXPLICIT_2:
      case PPU_METHOD_EXPLICIT_3:
        run_explicit();
        break;
      case PPU_METHOD_MENDED:
        run_mended();
        break;
    }
    report_.host_seconds = thread_seconds() - start - device_seconds_;
    judge();
  }
  [[nodiscard]] const Impulses& impulse() const { return impulse_; }
  [[nodiscard]] const ppu_method_report& report() const { return report_; }
  [[nodiscard]] const model::RowProblem& problem() const { return problem_; }

 private:
  void run_boxed_or_coupled();
  void run_boxed(const model::RowProblem& boxed, const Impulses& start);
  void run_interior_point(const model::RowProblem& boxed);
  void run_subspaces(const model::RowProblem& boxed, const Impulses& start);
  void run_explicit();
  void run_mended();
  void judge();

  struct Swept {
    std::vector<float> impulse;
    std::uint32_t sweeps;
  };
  Swept sweep(const model::RowProblem& problem, const ppu_solve_def& def);
  void note_factors(int iterations, int factorizations, std::size_t numbers);
  [[nodiscard]] bool follows() const {
    return std::any_of(problem_.parent.begin(), problem_.parent.end(),
                       [](std::int32_t parent) { return parent >= 0; });
  }

  SweepDevice device_;
  const ppu_method_def& def_;
  model::RowProblem problem_;
  Impulses impulse_;
  ppu_method_report report_{};
  double device_seconds_ = 0;
};

MethodSolve::Swept MethodSolve::sweep(const model::RowProblem& problem, const ppu_solve_def& def) {
  const double start = thread_seconds();
  const ppu_problem rows = view_of(problem);
  Swept swept{std::vector<float>(problem.rows()), 0};
  std::vector<float> velocity(6 * problem.bodies());
  ppu_solve_report report{};
  device_.solver->solve(*device_.program, rows, def, swept.impulse.data(), velocity.data(),
                        &report);
  swept.sweeps = report.sweeps;
  ++report_.device_calls;
  report_.device_cycles += report.device_cycles;
  device_seconds_ += thread_seconds() - start;
  return swept;
}

void MethodSolve::note_factors(int iterations, int factorizations, std::size_t numbers) {
  report_.iterations += static_cast<std::uint32_t>(iterations);
  report_.factorizations += static_cast<std::uint32_t>(factorizations);
  report_.factor_numbers = std::max<std::uint64_t>(report_.factor_numbers, numbers);
}

void MethodSolve::run_interior_point(const model::RowProblem& boxed) {
  methods::InteriorPointOptions options;
  if (!follows() && def_.max_rounds > 0) options.max_iterations = static_cast<int>(def_.max_rounds);
  methods::InteriorPointSolution solution =
      methods::solve_interior_point(methods::scaled_rows(boxed), options);
  const auto iterations = static_cast<int>(solution.iterations.size());
  note_factors(iterations, iterations, solution.factor_nonzeros);
  report_.reached = solution.reached;
  impulse_ = std::move(solution.impulse);
}

void MethodSolve::run_subspaces(const model::RowProblem& boxed, const Impulses& start) {
  const methods::ScaledRows rows = methods::scaled_rows(boxed);
  methods::SubspaceOptions options;
  if (!follows() && def_.max_rounds > 0) options.max_rounds = static_cast<int>(def_.max_rounds);
  if (def_.method == PPU_METHOD_CROSSOVER) {
    // Next to the answer the term has little to hold.
    constexpr double kNear = 1e-4;
    options.proximal = methods::proximal_for(rows);
    options.proximal->first = std::min(options.proximal->first, kNear);
  }
  methods::CorrectionSweeps sweeps(boxed, rows,
                                   [this](const model::RowProblem& correction, int count) {
                                     ppu_solve_def def = def_.solve;
                                     def.start = PPU_START_COLD;
                                     def.max_sweeps = static_cast<std::uint32_t>(count);
                                     def.threshold = 0;
                                     return sweep(correction, def).impulse;
                                   });
  methods::SubspaceSolution solution = methods::solve_subspace(rows, sweeps, options, start);
  note_factors(static_cast<int>(solution.rounds.size()), solution.factorizations,
               solution.factor_nonzeros);
  report_.sweeps += static_cast<std::uint32_t>(solution.sweeps);
  report_.reached = solution.reached;
  impulse_ = std::move(solution.impulse);
}

void MethodSolve::run_boxed(const model::RowProblem& boxed, const Impulses& start) {
  if (def_.method == PPU_METHOD_PGS_SM) {
    run_subspaces(boxed, start);
    return;
  }
  run_interior_point(boxed);
  if (def_.method == PPU_METHOD_CROSSOVER) run_subspaces(boxed, Impulses(impulse_));
}

void MethodSolve::run_boxed_or_coupled() {
  const Impulses start(problem_.impulse.begin(), problem_.impulse.end());
  if (!follows()) {
    run_boxed(problem_, start);
    return;
  }
  // Friction follows the contacts around boxed problems.
  methods::CoupledOptions options;
  if (def_.max_rounds > 0) options.max_rounds = static_cast<int>(def_.max_rounds);
  bool every_round = true;
  const auto round = [&](const model::RowProblem& frozen, const Impulses& from) {
    run_boxed(frozen, from);
    every_round = every_round && report_.reached;
    return impulse_;
  };
  methods::CoupledSolution coupled = methods::solve_coupled(problem_, round, options, start);
  report_.friction_rounds = static_cast<std::uint32_t>(coupled.rounds);
  report_.reached = every_round && coupled.reached;
  impulse_ = std::move(coupled.impulse);
}

void MethodSolve::run_explicit() {
  const methods::ExplicitProblem given = methods::explicit_problem(problem_);
  methods::ExplicitOptions options;
  options.example =
      static_cast<methods::Example>(1 + static_cast<int>(def_.method) - PPU_METHOD_EXPLICIT);
  options.max_sweeps = static_cast<int>(def_.solve.max_sweeps);
  options.threshold = static_cast<double>(def_.solve.threshold);
  methods::ExplicitSolution solution = methods::solve_explicit(given, options);
  report_.sweeps = static_cast<std::uint32_t>(solution.sweeps);
  report_.factor_numbers = given.a.value.size();
  report_.reached = solution.reached;
  impulse_ = std::move(solution.impulse);
}

/// The velocities of a device drift: each step of each sweep is rounded to float32. What it takes
/// for converged is not, by the velocities that its impulses make.
void MethodSolve::run_mended() {
  constexpr double kDeviceShare = 0.75;  // Of the threshold: the rest is for what drifts.
  constexpr std::uint32_t kMostRounds = 100;
  const auto threshold = static_cast<double>(def_.solve.threshold);
  ppu_solve_def def = def_.solve;
  def.threshold = static_cast<float>(kDeviceShare * threshold);
  def.start = PPU_START_WARM;  // From zero in the first round, if that is asked for.
  model::RowProblem round = problem_;
  impulse_.assign(round.impulse.begin(), round.impulse.end());
  while (!report_.reached && report_.sweeps < def_.solve.max_sweeps &&
         report_.iterations < kMostRounds) {
    def.max_sweeps = def_.solve.max_sweeps - report_.sweeps;
    Swept swept = sweep(round, def);
    ++report_.iterations;
    // A round without a sweep ends: float32 has no nearer one.
    if (swept.sweeps == 0 && report_.iterations > 1) break;
    report_.sweeps += swept.sweeps;
    round.impulse = std::move(swept.impulse);
    impulse_.assign(round.impulse.begin(), round.impulse.end());
    const Impulses velocity = model::coupled_velocity(problem_, round.impulse);
    round.velocity_change = in_float(velocity);
    report_.reached = model::true_residual<double>(problem_, impulse_, velocity) <= threshold;
  }
}

void MethodSolve::judge() {
  const methods::ScaledRows rows =
      methods::scaled_rows(model::freeze_friction(problem_, in_float(impulse_)));
  const methods::Residual residual = methods::residual(rows, impulse_, rows.rates(impulse_));
  report_.max_residual = residual.rate;
  report_.paper_residual = residual.paper;
  report_.natural_residual = residual.natural;
  report_.relative_residual = residual.relative;
}

void refuse_of_solve(const char* field, const char* expected) {
  fail(PPU_ERROR_INVALID_ARGUMENT, "def->solve.", field, " is set, expected ", expected,
       ": a method has no use for it");
}

void check_def(const ppu_method_def& def) {
  const ppu_solve_def& solve = def.solve;
  if (method_name(static_cast<std::size_t>(def.method)) == nullptr)
    fail(PPU_ERROR_INVALID_ARGUMENT, "def->method is ", static_cast<int>(def.method),
         ", expected a ppu_method");
  if (solve.start != PPU_START_WARM && solve.start != PPU_START_COLD)
    fail(PPU_ERROR_INVALID_ARGUMENT, "def->solve.start is ", static_cast<int>(solve.start),
         ", expected a ppu_start");
  if (solve.budget_cycles != 0) refuse_of_solve("budget_cycles", "0");
  if (solve.class_rows[0] != 0 || solve.class_rows[1] != 0) refuse_of_solve("class_rows", "0");
  if (solve.class_sweeps[0] != 0 || solve.class_sweeps[1] != 0)
    refuse_of_solve("class_sweeps", "0");
  if (solve.profile != nullptr) refuse_of_solve("profile", "null");
  constexpr std::uint32_t kMost = 1U << 30U;
  if (solve.max_sweeps > kMost || def.max_rounds > kMost)
    fail(PPU_ERROR_INVALID_ARGUMENT, "def asks for ", std::max(solve.max_sweeps, def.max_rounds),
         " sweeps or rounds, expected at most ", kMost);
  if (!(solve.threshold >= 0))
    fail(PPU_ERROR_INVALID_ARGUMENT, "def->solve.threshold is ", solve.threshold,
         ", expected a number >= 0");
}

}  // namespace

const char* method_name(std::size_t index) {
  // In the order of ppu_method.
  constexpr const char* kNames[] = {"pgs-sm",     "interior-point", "explicit", "explicit-2",
                                    "explicit-3", "mended",         "crossover"};
  return index < std::size(kNames) ? kNames[index] : nullptr;
}

bool uses_device(ppu_method method) {
  return method == PPU_METHOD_PGS_SM || method == PPU_METHOD_CROSSOVER ||
         method == PPU_METHOD_MENDED;
}

void solve_by_method(const SweepDevice& device, const ppu_problem& problem,
                     const ppu_method_def& def, double* impulse, double* velocity_change,
                     ppu_method_report* report) {
  check_def(def);
  try {
    MethodSolve solve(device, def, row_problem_of(problem, def.solve.start));
    solve.run();
    const Impulses velocity = methods::velocity_of(solve.problem(), solve.impulse());
    std::copy(solve.impulse().begin(), solve.impulse().end(), impulse);
    if (velocity_change != nullptr) std::copy(velocity.begin(), velocity.end(), velocity_change);
    if (report != nullptr) *report = solve.report();
  } catch (const model::RowProblemError& error) {
    throw Failure(PPU_ERROR_PROBLEM, error.what());
  } catch (const methods::MethodFailure& failure) {
    throw Failure(PPU_ERROR_NUMERIC, failure.what());
  }
}

}  // namespace ppu::driver
