// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The outer loop of coupled friction.
#include "model/methods/coupled_friction.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "model/reference/reference.hpp"

namespace ppu::model::methods {
namespace {

/// The largest change of a friction bound, as a part of the largest impulse.
double bound_change(const RowProblem& problem, const std::vector<double>& before,
                    const std::vector<double>& after) {
  double change = 0, largest = 0;
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    largest = std::max(largest, std::fabs(after[i]));
    if (problem.parent[i] < 0) continue;
    const auto parent = static_cast<std::size_t>(problem.parent[i]);
    const double moved = std::max(0.0, after[parent]) - std::max(0.0, before[parent]);
    change = std::max(change, static_cast<double>(problem.friction[i]) * std::fabs(moved));
  }
  return largest > 0 ? change / largest : 0;
}

}  // namespace

CoupledSolution solve_coupled(const RowProblem& problem, const SolveFrozen& solve,
                              const CoupledOptions& options, std::vector<double> start) {
  validate(problem, problem.name);
  if (start.empty()) start.assign(problem.impulse.begin(), problem.impulse.end());
  if (start.size() != problem.rows()) {
    throw std::invalid_argument("the start has " + std::to_string(start.size()) +
                                " impulses, expected " + std::to_string(problem.rows()));
  }
  CoupledSolution solution;
  solution.impulse = std::move(start);
  while (!solution.reached && solution.rounds < options.max_rounds) {
    const std::vector<float> bounds(solution.impulse.begin(), solution.impulse.end());
    std::vector<double> next = solve(freeze_friction(problem, bounds), solution.impulse);
    if (next.size() != problem.rows()) {
      throw std::invalid_argument("the frozen problem has " + std::to_string(problem.rows()) +
                                  " rows, its solution " + std::to_string(next.size()));
    }
    ++solution.rounds;
    solution.change = bound_change(problem, solution.impulse, next);
    solution.reached = solution.change <= options.tolerance;
    solution.impulse = std::move(next);
  }
  return solution;
}

}  // namespace ppu::model::methods
