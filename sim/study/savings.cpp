// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What programs save against a plain one at equal true residual.
#include "sim/study/savings.hpp"

#include <algorithm>

#include "sim/study/program_settings.hpp"

namespace ppu::sim {
namespace {

/// Of the threshold. A program tests rates in float32; the residual here is in double precision.
constexpr double kRounding = 0.01;

Ending run_to_end(const model::RowProblem& problem, const Options& options) {
  const SolveResult result = Solver(options).solve(problem, options.sweeps);
  return {{},
          point_of(problem, result),
          result.report.max_residual,
          stopped_by_itself(options, result),
          {}};
}

/// On the back end without time: the same bits and row updates, sooner.
Options untimed(Options options) {
  options.backend = "functional";
  return options;
}

double ratio(std::uint64_t plain, std::uint64_t own) {
  return static_cast<double>(plain) / static_cast<double>(own);
}

/// One problem: the plain program, and others beside it.
class Comparer {
 public:
  Comparer(const model::RowProblem& problem, const Options& plain)
      : problem_(problem), plain_options_(plain), plain_(run_to_end(problem, plain)) {}

  [[nodiscard]] const Ending& plain() const { return plain_; }

  [[nodiscard]] Ending run(const Options& options) {
    Ending ending = run_to_end(problem_, options);
    if (!ending.stopped) return ending;
    const double level = std::max(double{*options.threshold}, ending.end.residual);
    const std::optional<ConvergencePoint> stop = plain_stop(level);
    if (!stop) return ending;
    const Convergence curve = measure_convergence(problem_, untimed(options));
    const ConvergencePoint first = first_at(problem_, curve, level).value_or(ending.end);
    const ConvergencePoint plain_first = first_at(problem_, plain_curve(), level).value_or(*stop);
    ending.compared = {*stop,
                       first,
                       plain_first,
                       ratio(stop->row_updates, ending.end.row_updates),
                       ratio(stop->cycles, ending.end.cycles),
                       ratio(plain_first.row_updates, first.row_updates)};
    return ending;
  }

 private:
  /// Where the plain program stops with `level` for a threshold; its own stop within rounding.
  [[nodiscard]] std::optional<ConvergencePoint> plain_stop(double level) const {
    Ending equal = plain_;
    if (level > double{*plain_options_.threshold} * (1 + kRounding)) {
      Options looser = plain_options_;
      looser.threshold = static_cast<float>(level);
      equal = run_to_end(problem_, looser);
    }
    if (!equal.stopped) return std::nullopt;
    return equal.end;
  }

  const Convergence& plain_curve() {
    if (!curve_) curve_ = measure_convergence(problem_, untimed(plain_options_));
    return *curve_;
  }

  const model::RowProblem& problem_;
  Options plain_options_;
  Ending plain_;
  std::optional<Convergence> curve_;
};

}  // namespace

bool reached_threshold(const Ending& ending, double threshold) {
  return ending.stopped && ending.device_residual <= threshold * (1 + kRounding);
}

bool has_drifted(const Ending& ending, double threshold) {
  return ending.end.residual > threshold * (1 + kRounding);
}

Savings measure_savings(const model::RowProblem& problem, const std::string& name,
                        const std::vector<std::string>& programs, const Options& options) {
  Comparer comparer(problem, with_program(programs.front(), options));
  Savings savings{name, problem.rows(), {comparer.plain()}};
  savings.endings.back().program = programs.front();
  for (std::size_t i = 1; i < programs.size(); ++i) {
    savings.endings.push_back(comparer.run(with_program(programs[i], options)));
    savings.endings.back().program = programs[i];
  }
  return savings;
}

}  // namespace ppu::sim
