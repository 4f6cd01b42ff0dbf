// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Exact factors by Eigen, incomplete ones column by column, and conjugate gradients.
#include "model/methods/sparse_factor.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "model/methods/scaled_rows.hpp"

namespace ppu::model::methods {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Exact = Eigen::SimplicialLDLT<Sparse, Eigen::Lower, Eigen::NaturalOrdering<int>>;

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void check_finite(const SymmetricMatrix& matrix) {
  for (const double value : matrix.value) {
    if (!std::isfinite(value)) {
      throw MethodFailure("the system matrix: found a number that is not finite, expected numbers");
    }
  }
}

[[noreturn]] void refuse_pivot(std::size_t k, double pivot) {
  throw MethodFailure("the system matrix: found the pivot " + std::to_string(pivot) +
                      " in column " + std::to_string(k) + ", expected a positive definite matrix");
}

/// The norm of every column of the whole matrix.
std::vector<double> column_norms(const SymmetricMatrix& a) {
  std::vector<double> squares(a.size());
  for (std::size_t j = 0; j < a.size(); ++j) {
    for (int p = a.start[j]; p < a.start[j + 1]; ++p) {
      const double square = a.value[at(p)] * a.value[at(p)];
      squares[j] += square;
      if (p > a.start[j]) squares[at(a.row[at(p)])] += square;
    }
  }
  for (double& square : squares) square = std::sqrt(square);
  return squares;
}

/// The incomplete factor of A + shift diag(A), by columns from the left; false where a pivot is not
/// positive. Column j takes what earlier columns k with an entry in row j owe it; `next` of such a
/// column is its first entry from row j on, `owing` the columns by that row.
bool factorize_incomplete(const SymmetricMatrix& a, const std::vector<double>& norms,
                          double tolerance, double shift, SymmetricMatrix& l) {
  const std::size_t n = a.size();
  l = SymmetricMatrix{};
  std::vector<double> column(n);
  std::vector<int> touched, next(n);
  std::vector<std::vector<int>> owing(n);
  std::vector<char> used(n);
  const auto add = [&](int i, double value) {
    if (!used[at(i)]) touched.push_back(i);
    used[at(i)] = 1;
    column[at(i)] += value;
  };
  for (std::size_t j = 0; j < n; ++j) {
    for (int p = a.start[j]; p < a.start[j + 1]; ++p) add(a.row[at(p)], a.value[at(p)]);
    column[j] += shift * a.value[at(a.start[j])];
    for (const int k : owing[j]) {
      int& p = next[at(k)];
      const double factor = l.value[at(p)];
      for (int q = p; q < l.start[at(k) + 1]; ++q) add(l.row[at(q)], -factor * l.value[at(q)]);
      if (++p < l.start[at(k) + 1]) owing[at(l.row[at(p)])].push_back(k);
    }
    const double pivot = column[j];
    const bool positive = pivot > 1e-14 * a.value[at(a.start[j])];
    std::sort(touched.begin(), touched.end());
    for (const int i : touched) {
      const double value = std::exchange(column[at(i)], 0.0);
      used[at(i)] = 0;
      if (!positive || (at(i) != j && std::fabs(value) < tolerance * norms[j])) continue;
      l.row.push_back(i);
      l.value.push_back(value / std::sqrt(pivot));
    }
    if (!positive) return false;
    touched.clear();
    next[j] = l.start.back() + 1;
    l.start.push_back(static_cast<int>(l.row.size()));
    if (next[j] < l.start[j + 1]) owing[at(l.row[at(next[j])])].push_back(static_cast<int>(j));
  }
  return true;
}

/// x = L'^-1 L^-1 x.
void solve_in_place(const SymmetricMatrix& l, std::vector<double>& x) {
  for (std::size_t j = 0; j < l.size(); ++j) {
    x[j] /= l.value[at(l.start[j])];
    for (int p = l.start[j] + 1; p < l.start[j + 1]; ++p) {
      x[at(l.row[at(p)])] -= l.value[at(p)] * x[j];
    }
  }
  for (std::size_t j = l.size(); j-- > 0;) {
    for (int p = l.start[j] + 1; p < l.start[j + 1]; ++p) {
      x[j] -= l.value[at(p)] * x[at(l.row[at(p)])];
    }
    x[j] /= l.value[at(l.start[j])];
  }
}

}  // namespace

struct SparseFactor::State {
  FactorOptions options;
  std::vector<int> order;
  bool analyzed = false;
  Exact exact;
  SymmetricMatrix incomplete;
};

SparseFactor::SparseFactor(const FactorOptions& options) : state_(std::make_unique<State>()) {
  state_->options = options;
}
SparseFactor::~SparseFactor() = default;
SparseFactor::SparseFactor(SparseFactor&&) noexcept = default;
SparseFactor& SparseFactor::operator=(SparseFactor&&) noexcept = default;

void SparseFactor::factorize(const SymmetricMatrix& matrix) {
  check_finite(matrix);
  if (!state_->analyzed) state_->order = ordered(matrix, state_->options.ordering);
  const SymmetricMatrix a = matrix.permuted(state_->order);
  const auto n = static_cast<int>(a.size());
  if (state_->options.factor == Factor::kExact) {
    const Eigen::Map<const Sparse> lower(n, n, a.start.back(), a.start.data(), a.row.data(),
                                         a.value.data());
    const Sparse copy = lower;
    if (!state_->analyzed) state_->exact.analyzePattern(copy);
    if (n > 0) state_->exact.factorize(copy);
    const Eigen::VectorXd pivots = n > 0 ? state_->exact.vectorD() : Eigen::VectorXd();
    for (int k = 0; k < n; ++k) {
      if (!(pivots[k] > 0)) refuse_pivot(at(state_->order[at(k)]), pivots[k]);
    }
  } else {
    const std::vector<double> norms = column_norms(a);
    const double tolerance = state_->options.drop_tolerance;
    for (double shift = 0; !factorize_incomplete(a, norms, tolerance, shift, state_->incomplete);) {
      shift = std::max(1e-8, 10 * shift);
    }
  }
  state_->analyzed = true;
}

std::vector<double> SparseFactor::solve(const std::vector<double>& r) const {
  std::vector<double> ordered_r(r.size()), x(r.size());
  for (std::size_t k = 0; k < r.size(); ++k) ordered_r[k] = r[at(state_->order[k])];
  if (state_->options.factor == Factor::kIncomplete) {
    solve_in_place(state_->incomplete, ordered_r);
  } else if (!r.empty()) {
    Eigen::Map<Eigen::VectorXd> values(ordered_r.data(), static_cast<Eigen::Index>(r.size()));
    values = state_->exact.solve(values).eval();
  }
  for (std::size_t k = 0; k < r.size(); ++k) x[at(state_->order[k])] = ordered_r[k];
  return x;
}

std::size_t SparseFactor::nonzeros() const {
  if (state_->options.factor == Factor::kIncomplete) return state_->incomplete.value.size();
  if (state_->order.empty()) return 0;
  const auto& l = state_->exact.matrixL().nestedExpression();
  return static_cast<std::size_t>(l.nonZeros()) + state_->order.size();
}

std::size_t conjugate_gradients(const SymmetricMatrix& a, const SparseFactor& preconditioner,
                                const std::vector<double>& r, double tolerance,
                                std::size_t max_steps, std::vector<double>& x) {
  x.assign(r.size(), 0.0);
  std::vector<double> left = r, z = preconditioner.solve(left), p = z;
  const double goal = tolerance * std::sqrt(dot(r, r));
  double rz = dot(left, z);
  for (std::size_t step = 0; step <= max_steps; ++step) {
    if (std::sqrt(dot(left, left)) <= goal) return step;
    const std::vector<double> ap = a.times(p);
    const double curvature = dot(p, ap);
    if (!(curvature > 0)) refuse_pivot(step, curvature);
    const double length = rz / curvature;
    for (std::size_t k = 0; k < x.size(); ++k) {
      x[k] += length * p[k];
      left[k] -= length * ap[k];
    }
    z = preconditioner.solve(left);
    const double before = std::exchange(rz, dot(left, z));
    for (std::size_t k = 0; k < x.size(); ++k) p[k] = z[k] + rz / before * p[k];
  }
  throw MethodFailure("conjugate gradients: found no end after " + std::to_string(max_steps) +
                      " steps, expected a better preconditioner");
}

}  // namespace ppu::model::methods
