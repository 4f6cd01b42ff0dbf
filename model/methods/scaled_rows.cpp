// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Rows scaled by the roots of the inverse masses; products and residuals.
#include "model/methods/scaled_rows.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "model/problem/problem_error.hpp"
#include "model/reference/reference_mass.hpp"

namespace ppu::model::methods {
namespace {

using Block = Eigen::Matrix<double, 6, 6>;

void check_input(const RowProblem& problem) {
  validate(problem, problem.name);
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    if (problem.parent[i] >= 0) {
      refuse(problem.name, "/rows/parent", i, std::to_string(problem.parent[i]),
             "frozen friction bounds");
    }
  }
  if (problem.inv_mass.empty()) {
    refuse(problem.name, "/bodies/inv_mass", "nothing", "inverse masses");
  }
  if (problem.inv_inertia.empty()) {
    refuse(problem.name, "/bodies/inv_inertia", "nothing", "inverse inertias");
  }
}

/// M^-1/2, symmetric.
Block root_of_inverse_mass(const RowProblem& problem, std::size_t body) {
  const Block inverse = inverse_mass(problem, body);
  if (inverse(0, 0) < 0) {
    refuse(problem.name, "/bodies/inv_mass", body, number_text(inverse(0, 0)),
           "an inverse mass of at least 0");
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(inverse.bottomRightCorner<3, 3>());
  const Eigen::Vector3d values = solver.eigenvalues();
  constexpr double kRounding = 1e-5;
  if (values[0] < -kRounding * std::fabs(values[2])) {
    refuse(problem.name, "/bodies/inv_inertia", body, "the eigenvalue " + number_text(values[0]),
           "a positive semidefinite matrix");
  }
  Block root = Block::Zero();
  root.topLeftCorner<3, 3>().diagonal().setConstant(std::sqrt(inverse(0, 0)));
  root.bottomRightCorner<3, 3>() = solver.eigenvectors() *
                                   values.cwiseMax(0.0).cwiseSqrt().asDiagonal() *
                                   solver.eigenvectors().transpose();
  return root;
}

/// A NaN must not look like a small residual, and stays.
void raise(double& largest, double value) {
  if (value > largest || std::isnan(value)) largest = value;
}

double bound_of(float stored) {
  const double bound = static_cast<double>(stored);
  if (std::fabs(bound) < kNoBound) return bound;
  return std::copysign(std::numeric_limits<double>::infinity(), bound);
}

}  // namespace

double ScaledRows::row_dot(std::size_t i, const std::vector<double>& v) const {
  double sum = 0;
  for (std::size_t half = 0; half < 2; ++half) {
    if (body[i][half] < 0) continue;
    const double* block = &jacobian[12 * i + 6 * half];
    const double* velocity = &v[6 * static_cast<std::size_t>(body[i][half])];
    for (std::size_t k = 0; k < 6; ++k) sum += block[k] * velocity[k];
  }
  return sum;
}

void ScaledRows::add_row(std::size_t i, double scale, std::vector<double>& v) const {
  for (std::size_t half = 0; half < 2; ++half) {
    if (body[i][half] < 0) continue;
    const double* block = &jacobian[12 * i + 6 * half];
    double* velocity = &v[6 * static_cast<std::size_t>(body[i][half])];
    for (std::size_t k = 0; k < 6; ++k) velocity[k] += scale * block[k];
  }
}

std::vector<double> ScaledRows::transposed(const std::vector<double>& x) const {
  std::vector<double> v(6 * bodies);
  for (std::size_t i = 0; i < rows(); ++i) add_row(i, x[i], v);
  return v;
}

std::vector<double> ScaledRows::rates(const std::vector<double>& x) const {
  const std::vector<double> v = transposed(x);
  std::vector<double> u(rows());
  for (std::size_t i = 0; i < rows(); ++i) u[i] = bias[i] + row_dot(i, v) + compliance[i] * x[i];
  return u;
}

double ScaledRows::clamped(std::size_t i, double x) const {
  return std::min(std::max(x, lower[i]), upper[i]);
}

ScaledRows scaled_rows(const RowProblem& problem) {
  check_input(problem);
  const std::size_t m = problem.rows();
  ScaledRows rows;
  rows.bodies = problem.bodies();
  std::vector<Block> roots;
  for (std::size_t k = 0; k < rows.bodies; ++k) roots.push_back(root_of_inverse_mass(problem, k));
  rows.body = problem.body;
  rows.jacobian.assign(12 * m, 0.0);
  for (std::size_t i = 0; i < m; ++i) {
    rows.compliance.push_back(static_cast<double>(problem.compliance[i]));
    rows.bias.push_back(static_cast<double>(problem.rate_bias[i]));
    rows.lower.push_back(bound_of(problem.lower[i]));
    rows.upper.push_back(bound_of(problem.upper[i]));
    double diagonal = rows.compliance[i];
    for (std::size_t half = 0; half < 2; ++half) {
      if (rows.body[i][half] < 0) continue;
      const Block& root = roots[static_cast<std::size_t>(rows.body[i][half])];
      const Eigen::Map<const Eigen::Matrix<float, 6, 1>> stored(
          &problem.jacobian[12 * i + 6 * half]);
      Eigen::Map<Eigen::Matrix<double, 6, 1>> block(&rows.jacobian[12 * i + 6 * half]);
      block = root * stored.cast<double>();
      diagonal += block.squaredNorm();
      // A body that cannot move has no part in A.
      if (root.isZero(0)) rows.body[i][half] = -1;
    }
    rows.diagonal.push_back(diagonal);
  }
  return rows;
}

std::vector<double> velocity_of(const RowProblem& problem, const std::vector<double>& impulse) {
  std::vector<double> momentum(6 * problem.bodies());
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    for (std::size_t k = 0; k < 12; ++k) {
      if (problem.body[i][k / 6] < 0) continue;
      momentum[6 * static_cast<std::size_t>(problem.body[i][k / 6]) + k % 6] +=
          impulse[i] * static_cast<double>(problem.jacobian[12 * i + k]);
    }
  }
  for (std::size_t body = 0; body < problem.bodies(); ++body) {
    Eigen::Map<Eigen::Matrix<double, 6, 1>> part(&momentum[6 * body]);
    part = (inverse_mass(problem, body) * part).eval();
  }
  return momentum;
}

Residual residual(const ScaledRows& rows, const std::vector<double>& x,
                  const std::vector<double>& u) {
  Residual found;
  double equality = 0, complementarity = 0, reach = 0, norm_a = 0, norm_b = 0;
  double squares = 0, squares_b = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const double lo = rows.lower[i], hi = rows.upper[i];
    const double natural = std::fabs(x[i] - rows.clamped(i, x[i] - u[i]));
    const double wrong = lo == hi ? 0 : x[i] <= lo ? -u[i] : x[i] >= hi ? u[i] : std::fabs(u[i]);
    raise(found.natural, natural);
    squares += natural * natural;
    squares_b += rows.bias[i] * rows.bias[i];
    raise(found.rate, wrong);
    if (std::isinf(lo) && std::isinf(hi)) {
      raise(equality, std::fabs(u[i]));
      norm_a = std::max(norm_a, std::fabs(rows.bias[i]));
    } else {
      raise(complementarity, natural);
      if (lo != hi) raise(reach, x[i] <= lo ? -u[i] : x[i] >= hi ? u[i] : 0.0);
      norm_b = std::max(norm_b, std::fabs(rows.bias[i]));
    }
  }
  found.relative = std::sqrt(squares / (squares_b > 0 ? squares_b : 1));
  raise(found.paper, equality / (1 + norm_a));
  raise(found.paper, complementarity / (1 + norm_b));
  raise(found.paper, reach / (1 + norm_b * norm_b));
  return found;
}

double objective(const ScaledRows& rows, const std::vector<double>& x,
                 const std::vector<double>& u) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) sum += x[i] * (u[i] + rows.bias[i]);
  return 0.5 * sum;
}

}  // namespace ppu::model::methods
