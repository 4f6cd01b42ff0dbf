// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Examples 1-3 of US 7,079,145 in double precision on explicit matrices:
//   J   (m x 6n), one row per constraint row
//   J_M = J M^-1, so that J_M^T = M^-1 J^T (6n x m), eq. (10)
//   A   = J J_M^T + diag(cfm) (m x m)
#include <Eigen/Dense>
#include <Eigen/Sparse>

#include "model/reference/reference.hpp"
#include "model/reference/state.hpp"

namespace ppu::model {
namespace {

using Matrix = Eigen::MatrixXd;
using RowSparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

/// The rows of `values` (m x 12) at the columns of their bodies.
RowSparse scatter(const RowProblem& problem, const std::vector<float>& values) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    for (std::size_t k = 0; k < 12; ++k) {
      const std::int32_t body = problem.body[i][k / 6];
      if (body < 0) continue;
      entries.emplace_back(static_cast<int>(i),
                           static_cast<int>(6 * body + static_cast<int>(k % 6)),
                           static_cast<double>(values[12 * i + k]));
    }
  }
  RowSparse matrix(static_cast<Index>(problem.rows()), static_cast<Index>(6 * problem.bodies()));
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

RowSparse system_matrix(const RowProblem& problem, const RowSparse& j, const RowSparse& jm) {
  RowSparse a = j * RowSparse(jm.transpose());
  RowSparse softness(a.rows(), a.cols());
  softness.reserve(Eigen::VectorXi::Ones(a.rows()));
  for (Index i = 0; i < a.rows(); ++i) {
    softness.insert(i, i) = static_cast<double>(problem.compliance[static_cast<std::size_t>(i)]);
  }
  return a + softness;
}

Eigen::Map<Vector> as_vector(std::vector<double>& values) {
  return {values.data(), static_cast<Index>(values.size())};
}

/// The loop all three examples share: `rate(i)` gives b_i + (A f)_i, `stepped(i, step)` is told
/// that f_i has changed.
template <class Rate, class Stepped>
void sweep(const RowProblem& problem, const SolveOptions& options, std::vector<double>& f,
           const Rate& rate, const Stepped& stepped) {
  const auto order = visit_order(problem, options);
  for (int count = 0; count < options.sweeps; ++count) {
    for (const std::size_t i : order) {
      if (is_skipped(problem, options, f, i)) continue;
      const double d = static_cast<double>(problem.inv_diagonal[i]);
      const double next = project(problem, options, f, i, f[i] - d * rate(i));
      const double step = next - f[i];
      f[i] = next;
      stepped(i, step);
    }
  }
}

/// Example 1, eq. (9): f_i = project(f_i - d_i (b_i + (A f)_i)). The warm start's velocity need not
/// be M^-1 J^T f to the last bit; what is left over acts as a constant part of b.
template <class MatrixType>
void example_1(const RowProblem& problem, const SolveOptions& options, const MatrixType& a,
               const Vector& b, std::vector<double>& f) {
  const auto rate = [&](std::size_t i) {
    const auto row = static_cast<Index>(i);
    return b[row] + a.row(row).dot(as_vector(f));
  };
  sweep(problem, options, f, rate, [](std::size_t, double) {});
}

/// b_i + (J v)_i + cfm_i f_i, the bracket of eq. (12) and (14).
double rate_from_velocity(const RowProblem& problem, const RowSparse& j, const Vector& v,
                          const std::vector<double>& f, std::size_t i) {
  return static_cast<double>(problem.rate_bias[i]) + j.row(static_cast<Index>(i)).dot(v) +
         static_cast<double>(problem.compliance[i]) * f[i];
}

}  // namespace

State solve_explicit(const RowProblem& problem, const SolveOptions& options, Explicit method) {
  State state = start_state(problem, options.start);
  std::vector<double>& f = state.impulse;
  const RowSparse j = scatter(problem, problem.jacobian);
  const RowSparse jm = scatter(problem, problem.inv_mass_jacobian);
  const Vector offset = Vector(as_vector(state.velocity)) - jm.transpose() * Vector(as_vector(f));
  Vector v = as_vector(state.velocity);
  const auto rate = [&](std::size_t i) { return rate_from_velocity(problem, j, v, f, i); };

  if (method == Explicit::kDenseMatrix || method == Explicit::kSparseMatrix) {
    const RowSparse a = system_matrix(problem, j, jm);
    const Vector b = Eigen::Map<const Eigen::VectorXf>(problem.rate_bias.data(),
                                                       static_cast<Index>(problem.rows()))
                         .cast<double>() +
                     j * offset;
    if (method == Explicit::kDenseMatrix) {
      example_1(problem, options, Matrix(a), b, f);
    } else {
      example_1(problem, options, a, b, f);
    }
    v = offset + jm.transpose() * Vector(as_vector(f));
  } else if (method == Explicit::kFullVelocity) {
    // Example 2: eq. (12), then eq. (13) v = J_M^T f in full.
    sweep(problem, options, f, rate,
          [&](std::size_t, double) { v = offset + jm.transpose() * Vector(as_vector(f)); });
  } else {
    // Example 3: eq. (14), then eq. (15) v = v + (J_M^T)_i (newf - f_i).
    sweep(problem, options, f, rate, [&](std::size_t i, double step) {
      v += step * jm.row(static_cast<Index>(i)).transpose();
    });
  }
  as_vector(state.velocity) = v;
  return state;
}

}  // namespace ppu::model
