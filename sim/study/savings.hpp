// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What programs save against a plain one at equal true residual, problem by problem.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/study/convergence.hpp"

namespace ppu::sim {

/// A program from the start to where it stops by itself, or to the most sweeps.
struct Ending {
  std::string program;  ///< As it was asked for.
  ConvergencePoint end;
  double device_residual = 0;  ///< With the velocities that the device has.
  bool stopped = false;

  /// Of this program and the plain one, at the residual this one stops at, or at the threshold if
  /// that is higher.
  struct Comparison {
    ConvergencePoint plain_stop;          ///< Where the plain program stops by itself.
    ConvergencePoint first, plain_first;  ///< The first sweeps found there: see first_at().
    double rows_saved, time_saved;        ///< Plain / own, each where it stops.
    double rows_saved_first;              ///< Plain / own, each at its first sweep there.
  };
  std::optional<Comparison> compared;  ///< None where one of the two does not stop.
};

struct Savings {
  std::string problem;
  std::size_t rows = 0;
  std::vector<Ending> endings;  ///< The plain one first.
};

/// Runs the first of `programs`, the plain one, and the others to the threshold of `options`.
/// Throws CliError (usage) for a program that ends at no residual, and as Solver does.
Savings measure_savings(const model::RowProblem& problem, const std::string& name,
                        const std::vector<std::string>& programs, const Options& options);

struct SavingsReport {
  std::string title;
  double threshold = 0;
  bool frozen = false;
  double clock_mhz = 0;
  std::vector<Savings> problems;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] nlohmann::ordered_json json() const;

 private:
  struct Ratios;
  /// The back end counts cycles.
  [[nodiscard]] bool timed() const { return problems.front().endings.front().end.cycles > 0; }
  [[nodiscard]] std::string table() const;
  [[nodiscard]] std::string summary(std::size_t program) const;
};

/// True if `ending` stopped with a residual, as the device's velocities give it, that is not above
/// `threshold`, but for a hundredth of it that rounding may cost.
bool kept_its_word(const Ending& ending, double threshold);
/// True if the residual of its impulses is above that.
bool has_drifted(const Ending& ending, double threshold);

}  // namespace ppu::sim
