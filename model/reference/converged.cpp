// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Projected Gauss-Seidel with subspace minimization, the idea of Morales, Nocedal and Smelyanskiy
// (2008): sweeps find which rows are free, factorizations solve for them. Both lower the objective.
#include "model/reference/converged.hpp"

#include <Eigen/Dense>

#include "model/problem/problem_error.hpp"
#include "model/reference/reference_mass.hpp"
#include "model/reference/residual.hpp"
#include "model/reference/state.hpp"

namespace ppu::model {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

struct BoxedLcp {
  Matrix j;   ///< m x 6n.
  Matrix jm;  ///< J M^-1, m x 6n.
  Matrix a;
  Vector b, lower, upper;
};

BoxedLcp assemble(const RowProblem& problem) {
  const auto m = static_cast<Index>(problem.rows());
  const auto n = static_cast<Index>(problem.bodies());
  BoxedLcp lcp{Matrix::Zero(m, 6 * n), Matrix::Zero(m, 6 * n), {}, Vector(m), Vector(m), Vector(m)};
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    const auto row = static_cast<Index>(i);
    for (std::size_t half = 0; half < 2; ++half) {
      if (problem.body[i][half] < 0) continue;
      const auto body = static_cast<std::size_t>(problem.body[i][half]);
      const Eigen::Map<const Eigen::Matrix<float, 6, 1>> stored(
          &problem.jacobian[12 * i + 6 * half]);
      const Eigen::Matrix<double, 6, 1> block = stored.cast<double>();
      const auto column = static_cast<Index>(6 * body);
      lcp.j.block<1, 6>(row, column) = block.transpose();
      lcp.jm.block<1, 6>(row, column) = (inverse_mass(problem, body) * block).transpose();
    }
    lcp.b[row] = static_cast<double>(problem.rate_bias[i]);
    lcp.lower[row] = static_cast<double>(problem.lower[i]);
    lcp.upper[row] = static_cast<double>(problem.upper[i]);
  }
  lcp.a = lcp.j * lcp.jm.transpose();
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    const auto row = static_cast<Index>(i);
    lcp.a(row, row) += static_cast<double>(problem.compliance[i]);
  }
  return lcp;
}

double clamped(const BoxedLcp& lcp, Index i, double t) {
  return std::min(std::max(t, lcp.lower[i]), lcp.upper[i]);
}

void sweep(const BoxedLcp& lcp, Vector& x) {
  for (Index i = 0; i < x.size(); ++i) {
    const double diagonal = lcp.a(i, i);
    if (diagonal <= 0) continue;
    x[i] = clamped(lcp, i, x[i] - (lcp.b[i] + lcp.a.row(i).dot(x)) / diagonal);
  }
}

double objective(const BoxedLcp& lcp, const Vector& x) {
  return x.dot(0.5 * (lcp.a * x) + lcp.b);
}

/// Rows strictly inside their bounds.
std::vector<Index> free_rows(const BoxedLcp& lcp, const Vector& x) {
  std::vector<Index> rows;
  for (Index i = 0; i < x.size(); ++i) {
    if (lcp.lower[i] < x[i] && x[i] < lcp.upper[i]) rows.push_back(i);
  }
  return rows;
}

/// The Newton step on the free rows. Redundant contacts make their part of A singular; a proximal
/// term far below its diagonal keeps the step finite and vanishes as rounds repeat.
Vector newton_step(const BoxedLcp& lcp, const std::vector<Index>& rows, const Vector& u) {
  const auto count = static_cast<Index>(rows.size());
  Matrix a(count, count);
  Vector rate(count);
  for (Index p = 0; p < count; ++p) {
    const auto i = rows[static_cast<std::size_t>(p)];
    rate[p] = u[i];
    for (Index q = 0; q < count; ++q) a(p, q) = lcp.a(i, rows[static_cast<std::size_t>(q)]);
  }
  constexpr double kProximal = 1e-11;
  a.diagonal() += kProximal * a.diagonal();
  const Vector solution = a.ldlt().solve(-rate);
  Vector step = Vector::Zero(u.size());
  for (Index p = 0; p < count; ++p) step[rows[static_cast<std::size_t>(p)]] = solution[p];
  return step;
}

/// Moves x along the step up to the first bound and puts the row that meets it there.
void step_to_first_bound(const BoxedLcp& lcp, const Vector& step, Vector& x) {
  double length = 1;
  Index blocking = -1;
  for (Index i = 0; i < x.size(); ++i) {
    if (step[i] == 0) continue;
    const double room = (step[i] > 0 ? lcp.upper[i] - x[i] : lcp.lower[i] - x[i]) / step[i];
    if (room < length) {
      length = room;
      blocking = i;
    }
  }
  x += length * step;
  if (blocking >= 0) x[blocking] = step[blocking] > 0 ? lcp.upper[blocking] : lcp.lower[blocking];
}

/// Minimizes over the free rows; rows that meet a bound on the way stay there. Ends because every
/// step but the last takes a row out of the free ones. Returns the number of factorizations.
int minimize_over_free_rows(const BoxedLcp& lcp, Vector& x) {
  for (int count = 0;; ++count) {
    const auto rows = free_rows(lcp, x);
    if (rows.empty()) return count;
    const Vector step = newton_step(lcp, rows, lcp.b + lcp.a * x);
    if (!step.allFinite()) return count;
    const Vector target = x + step;
    const Vector projected = target.cwiseMax(lcp.lower).cwiseMin(lcp.upper);
    if (projected == target) {
      x = target;
      return count + 1;
    }
    // Projecting frees the most rows at once but need not go downhill; stopping at a bound does.
    if (objective(lcp, projected) < objective(lcp, x)) {
      x = projected;
    } else {
      step_to_first_bound(lcp, step, x);
    }
  }
}

State state_of(const BoxedLcp& lcp, const Vector& x) {
  const Vector v = lcp.jm.transpose() * x;
  return {std::vector<double>(x.begin(), x.end()), std::vector<double>(v.begin(), v.end())};
}

BoxingError boxing_error(const RowProblem& problem, const BoxedLcp& lcp, const State& state) {
  BoxingError error;
  const Eigen::Map<const Vector> x(state.impulse.data(), lcp.b.size());
  error.bounds = std::max({0.0, (lcp.lower - x).maxCoeff(), (x - lcp.upper).maxCoeff()});
  error.complementarity = true_residual(problem, state.impulse, state.velocity);
  return error;
}

void check_input(const RowProblem& problem) {
  const std::string& name = problem.name;
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    if (problem.parent[i] >= 0) {
      refuse(name, "/rows/parent", i, std::to_string(problem.parent[i]), "frozen friction bounds");
    }
  }
  if (problem.inv_mass.empty()) refuse(name, "/bodies/inv_mass", "nothing", "inverse masses");
  if (problem.inv_inertia.empty()) {
    refuse(name, "/bodies/inv_inertia", "nothing", "inverse inertias");
  }
}

}  // namespace

ConvergedSolution solve_to_convergence(const RowProblem& problem, double tolerance,
                                       int max_rounds) {
  check_input(problem);
  const BoxedLcp lcp = assemble(problem);
  constexpr int kSweepsPerRound = 5;
  Vector x(lcp.b.size());
  for (Index i = 0; i < x.size(); ++i) {
    x[i] = clamped(lcp, i, static_cast<double>(problem.impulse[static_cast<std::size_t>(i)]));
  }
  ConvergedSolution solution;
  while (!solution.reached && solution.rounds < max_rounds) {
    for (int k = 0; k < kSweepsPerRound; ++k) sweep(lcp, x);
    solution.factorizations += minimize_over_free_rows(lcp, x);
    ++solution.rounds;
    solution.state = state_of(lcp, x);
    solution.error = boxing_error(problem, lcp, solution.state);
    solution.reached = solution.error.complementarity <= tolerance;
  }
  return solution;
}

}  // namespace ppu::model
