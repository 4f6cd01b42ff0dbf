// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Example 7 of US 7,079,145 in double precision: with S = M^-1/2 of each body, J^ = J S stands for
// J and for M^-1 J^T, and v^ = S^-1 v for v, eq. (26)-(31).
#include "model/problem/problem_error.hpp"
#include "model/reference/reference.hpp"
#include "model/reference/reference_mass.hpp"
#include "model/reference/state.hpp"

namespace ppu::model {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

struct Scaling {
  Matrix6 root = Matrix6::Zero();          ///< M^-1/2.
  Matrix6 inverse_root = Matrix6::Zero();  ///< M^1/2; 0 on what cannot move.
};

Scaling scaling_of(const RowProblem& problem, std::size_t body) {
  const Eigen::SelfAdjointEigenSolver<Matrix6> solver(inverse_mass(problem, body));
  const Matrix6& q = solver.eigenvectors();
  const Vector6 values = solver.eigenvalues().cwiseMax(0).cwiseSqrt();
  const double least = 1e-6 * values.maxCoeff();
  const Vector6 inverses =
      values.unaryExpr([least](double value) { return value > least ? 1 / value : 0; });
  return {q * values.asDiagonal() * q.transpose(), q * inverses.asDiagonal() * q.transpose()};
}

/// J^ of each half of each row.
std::vector<Vector6> scaled_jacobians(const RowProblem& problem,
                                      const std::vector<Scaling>& scaling) {
  std::vector<Vector6> rows(2 * problem.rows(), Vector6::Zero());
  for (std::size_t half = 0; half < rows.size(); ++half) {
    const std::int32_t body = problem.body[half / 2][half % 2];
    if (body < 0) continue;
    const Eigen::Map<const Eigen::Matrix<float, 6, 1>> stored(&problem.jacobian[6 * half]);
    rows[half] = scaling[static_cast<std::size_t>(body)].root * stored.cast<double>();
  }
  return rows;
}

/// One row, with J^ of both its halves.
void update(const RowProblem& problem, const SolveOptions& options, std::size_t i,
            const std::vector<Vector6>& rows, std::vector<double>& impulse,
            std::vector<Vector6>& velocity) {
  const auto for_each_half = [&](auto visit) {
    for (std::size_t half = 0; half < 2; ++half) {
      const std::int32_t body = problem.body[i][half];
      if (body >= 0) visit(rows[2 * i + half], velocity[static_cast<std::size_t>(body)]);
    }
  };
  const double x = impulse[i];
  double u =
      static_cast<double>(problem.rate_bias[i]) + static_cast<double>(problem.compliance[i]) * x;
  for_each_half([&u](const Vector6& j, const Vector6& v) { u += j.dot(v); });
  const double step = static_cast<double>(problem.inv_diagonal[i]) * u;
  const double next = project(problem, options, impulse, i, x - step);
  for_each_half([&](const Vector6& j, Vector6& v) { v += (next - x) * j; });
  impulse[i] = next;
}

}  // namespace

State solve_reduced(const RowProblem& problem, const SolveOptions& options) {
  if (problem.inv_mass.empty() || problem.inv_inertia.empty())
    throw RowProblemError("the reduced form needs /bodies/inv_mass and inv_inertia");
  std::vector<Scaling> scaling;
  for (std::size_t body = 0; body < problem.bodies(); ++body)
    scaling.push_back(scaling_of(problem, body));
  const std::vector<Vector6> rows = scaled_jacobians(problem, scaling);
  State state = start_state(problem, options.start);
  std::vector<Vector6> reduced;
  for (std::size_t body = 0; body < problem.bodies(); ++body)
    reduced.push_back(scaling[body].inverse_root *
                      Eigen::Map<const Vector6>(&state.velocity[6 * body]));

  const auto order = visit_order(problem, options);
  for (int sweep = 0; sweep < options.sweeps; ++sweep)
    for (const std::size_t i : order)
      if (!is_skipped(problem, options, state.impulse, i))
        update(problem, options, i, rows, state.impulse, reduced);
  for (std::size_t body = 0; body < problem.bodies(); ++body)
    Eigen::Map<Vector6>(&state.velocity[6 * body]) = scaling[body].root * reduced[body];
  return state;
}

}  // namespace ppu::model
