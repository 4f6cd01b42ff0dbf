// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// How the true residual of a program falls with its sweeps, row updates and device time: measured
// by running the program again and again, a little further each time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/problem/row_problem.hpp"
#include "sim/solve/options.hpp"
#include "sim/solve/solver.hpp"

namespace ppu::sim {

/// A program after some sweeps.
struct ConvergencePoint {
  std::uint32_t sweeps = 0;
  std::uint64_t row_updates = 0;
  std::uint64_t cycles = 0;  ///< From the first instruction on.
  double residual = 0;       ///< See residual_of_impulses().
};

/// A program from the start, before any sweep, to the end of a solve.
struct Convergence {
  std::string program;  ///< As it was asked for.
  Options options;      ///< Of the solve to the end.
  std::vector<ConvergencePoint> points;
  bool stopped = false;  ///< By its own test: the last point is where.

  [[nodiscard]] bool timed() const { return end().cycles > 0; }  ///< The back end counts cycles.
  [[nodiscard]] const ConvergencePoint& end() const { return points.back(); }
  [[nodiscard]] const ConvergencePoint& best() const;
};

/// Runs `options.program` for numbers of sweeps that grow by an eighth or by one, up to the sweeps
/// of `options` or to its budget, or until it stops by itself. Throws as Solver does.
Convergence measure_convergence(const model::RowProblem& problem, const Options& options);

/// Where the residual first comes down to `level`; none if it does at no measured point. It lies
/// between two measured points, the last above and the first not above `level`. The problem is
/// solved again for the number of sweeps in the middle of the two, which takes the place of one of
/// them, until they are one sweep apart, or a 256th of the sweeps.
std::optional<ConvergencePoint> first_at(const model::RowProblem& problem,
                                         const Convergence& convergence, double level);

/// True if the solve ended because its own test for termination passed.
bool stopped_by_itself(const Options& options, const SolveResult& result);
ConvergencePoint point_of(const model::RowProblem& problem, const SolveResult& result);

}  // namespace ppu::sim
