// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Explicit problems: made of rows, and checked.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "model/methods/explicit_matrix.hpp"
#include "model/methods/scaled_rows.hpp"
#include "model/methods/sparse_factor.hpp"
#include "model/problem/problem_error.hpp"
#include "model/reference/reference_mass.hpp"

namespace ppu::model::methods {
namespace {

constexpr double kEntryRounding = 1e-5;
constexpr std::size_t kMaxFactoredRows = 4096;

/// The entry (i, k), or 0.
double entry(const CompressedMatrix& a, std::size_t i, std::size_t k) {
  const auto first = a.column.begin() + static_cast<std::ptrdiff_t>(a.start[i]);
  const auto end = a.column.begin() + static_cast<std::ptrdiff_t>(a.start[i + 1]);
  const auto found = std::lower_bound(first, end, static_cast<std::uint32_t>(k));
  if (found == end || *found != k) return 0;
  return a.value[static_cast<std::size_t>(found - a.column.begin())];
}

void check_layout(const std::string& name, const std::string& item, const CompressedMatrix& matrix,
                  std::size_t rows) {
  if (matrix.rows() != rows) {
    refuse(name, item, std::to_string(matrix.rows()) + " rows", std::to_string(rows));
  }
  if (matrix.start.front() != 0 || matrix.start.back() != matrix.value.size() ||
      matrix.column.size() != matrix.value.size() ||
      !std::is_sorted(matrix.start.begin(), matrix.start.end())) {
    refuse(name, item, "starts of rows that do not fit", "as many entries as they say");
  }
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t p = matrix.start[i]; p < matrix.start[i + 1]; ++p) {
      const bool ascends = p == matrix.start[i] || matrix.column[p - 1] < matrix.column[p];
      if (!ascends || matrix.column[p] >= matrix.columns) {
        refuse(name, item, i, "column " + std::to_string(matrix.column[p]),
               "ascending columns below " + std::to_string(matrix.columns));
      }
      if (!std::isfinite(matrix.value[p])) {
        refuse(name, item, i, number_text(matrix.value[p]), "a finite number");
      }
    }
  }
}

void check_vectors(const ExplicitProblem& p) {
  const std::size_t m = p.rows();
  for (const auto* values : {&p.compliance, &p.lower, &p.upper, &p.friction}) {
    if (values->size() != m) {
      refuse(p.name, "compliance, bounds and friction", std::to_string(values->size()) + " values",
             std::to_string(m));
    }
  }
  if (p.parent.size() != m) {
    refuse(p.name, "parent", std::to_string(p.parent.size()) + " values", std::to_string(m));
  }
  for (std::size_t i = 0; i < m; ++i) {
    if (!std::isfinite(p.bias[i]))
      refuse(p.name, "bias", i, number_text(p.bias[i]), "a finite number");
    if (p.parent[i] >= static_cast<std::int32_t>(i)) {
      refuse(p.name, "parent", i, std::to_string(p.parent[i]), "an earlier row or -1");
    }
    if (p.parent[i] < 0 && !(p.lower[i] <= p.upper[i])) {
      refuse(p.name, "lower", i, number_text(p.lower[i]),
             "at most upper, " + number_text(p.upper[i]));
    }
    if (p.parent[i] >= 0 && !(p.friction[i] >= 0)) {
      refuse(p.name, "friction", i, number_text(p.friction[i]), "at least 0");
    }
  }
}

void check_matrix(const ExplicitProblem& p) {
  for (std::size_t i = 0; i < p.rows(); ++i) {
    const double own = entry(p.a, i, i);
    if (!(own > 0)) refuse(p.name, "diagonal of A", i, number_text(own), "a number above 0");
  }
  for (std::size_t i = 0; i < p.rows(); ++i) {
    for (std::size_t q = p.a.start[i]; q < p.a.start[i + 1]; ++q) {
      const std::size_t k = p.a.column[q];
      const double scale = std::sqrt(entry(p.a, i, i)) * std::sqrt(entry(p.a, k, k));
      const std::string place = "A column " + std::to_string(k);
      if (std::fabs(p.a.value[q] - entry(p.a, k, i)) > kEntryRounding * scale) {
        refuse(p.name, place, i, number_text(p.a.value[q]),
               number_text(entry(p.a, k, i)) + " as on the other side of the diagonal");
      }
      if (std::fabs(p.a.value[q]) > (1 + kEntryRounding) * scale) {
        throw MethodFailure(of_file(p.name) + place + " row " + std::to_string(i) + ": found " +
                            number_text(p.a.value[q]) + ", expected at most " + number_text(scale) +
                            " as in a positive semidefinite matrix");
      }
    }
  }
}

void check_pivots(const ExplicitProblem& p) {
  SymmetricMatrix lower;
  for (std::size_t k = 0; k < p.rows(); ++k) {
    for (std::size_t q = p.a.start[k]; q < p.a.start[k + 1]; ++q) {
      if (p.a.column[q] < k) continue;
      const double slack = p.a.column[q] == k ? 1 + kEntryRounding : 1;
      lower.row.push_back(static_cast<int>(p.a.column[q]));
      lower.value.push_back(slack * p.a.value[q]);
    }
    lower.start.push_back(static_cast<int>(lower.row.size()));
  }
  SparseFactor factor({Ordering::kMinimumDegree, Factor::kExact, 0});
  try {
    factor.factorize(lower);
  } catch (const MethodFailure& failure) {
    throw MethodFailure(of_file(p.name) + "A: " + failure.what());
  }
}

/// The rows of `blocks` (m x 12) at the columns of their bodies.
CompressedMatrix scattered(const RowProblem& problem, const std::vector<double>& blocks) {
  CompressedMatrix matrix;
  matrix.columns = 6 * problem.bodies();
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    const bool is_turned = problem.body[i][0] > problem.body[i][1];
    for (const std::size_t half : {is_turned ? 1U : 0U, is_turned ? 0U : 1U}) {
      if (problem.body[i][half] < 0) continue;
      for (std::size_t k = 0; k < 6; ++k) {
        matrix.column.push_back(static_cast<std::uint32_t>(6 * problem.body[i][half]) +
                                static_cast<std::uint32_t>(k));
        matrix.value.push_back(blocks[12 * i + 6 * half + k]);
      }
    }
    matrix.start.push_back(matrix.value.size());
  }
  return matrix;
}

/// J J_M' + diag(cfm): row i by way of the rows that share its bodies.
CompressedMatrix product(const ExplicitProblem& p) {
  std::vector<std::vector<std::pair<std::size_t, double>>> column(p.j.columns);
  for (std::size_t i = 0; i < p.rows(); ++i) {
    for (std::size_t q = p.jm.start[i]; q < p.jm.start[i + 1]; ++q) {
      column[p.jm.column[q]].emplace_back(i, p.jm.value[q]);
    }
  }
  CompressedMatrix a;
  a.columns = p.rows();
  std::vector<double> sum(p.rows());
  std::vector<char> used(p.rows());
  for (std::size_t i = 0; i < p.rows(); ++i) {
    std::vector<std::uint32_t> touched{static_cast<std::uint32_t>(i)};
    used[i] = 1;
    sum[i] = p.compliance[i];
    for (std::size_t q = p.j.start[i]; q < p.j.start[i + 1]; ++q) {
      for (const auto& [k, value] : column[p.j.column[q]]) {
        if (!used[k]) touched.push_back(static_cast<std::uint32_t>(k));
        used[k] = 1;
        sum[k] += p.j.value[q] * value;
      }
    }
    std::sort(touched.begin(), touched.end());
    for (const std::uint32_t k : touched) {
      a.column.push_back(k);
      a.value.push_back(sum[k]);
      sum[k] = 0;
      used[k] = 0;
    }
    a.start.push_back(a.value.size());
  }
  return a;
}

}  // namespace

void check_explicit(const ExplicitProblem& problem) {
  check_layout(problem.name, "A", problem.a, problem.rows());
  if (problem.a.columns != problem.rows()) {
    refuse(problem.name, "A", std::to_string(problem.a.columns) + " columns",
           std::to_string(problem.rows()));
  }
  if (problem.j.rows() > 0 || problem.jm.rows() > 0) {
    check_layout(problem.name, "J", problem.j, problem.rows());
    check_layout(problem.name, "J_M", problem.jm, problem.rows());
  }
  check_vectors(problem);
  check_matrix(problem);
  if (problem.rows() <= kMaxFactoredRows) check_pivots(problem);
}

ExplicitProblem explicit_problem(const RowProblem& problem) {
  RowProblem boxed = problem;
  boxed.parent.assign(problem.rows(), -1);
  const ScaledRows rows = scaled_rows(boxed);
  ExplicitProblem p;
  p.name = problem.name;
  p.compliance = rows.compliance;
  p.bias = rows.bias;
  p.lower = rows.lower;
  p.upper = rows.upper;
  p.parent = problem.parent;
  p.friction.assign(problem.friction.begin(), problem.friction.end());
  const std::vector<double> jacobian(problem.jacobian.begin(), problem.jacobian.end());
  std::vector<double> scaled = jacobian;
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    for (std::size_t half = 0; half < 2; ++half) {
      if (problem.body[i][half] < 0) continue;
      Eigen::Map<Eigen::Matrix<double, 6, 1>> block(&scaled[12 * i + 6 * half]);
      block =
          (inverse_mass(problem, static_cast<std::size_t>(problem.body[i][half])) * block).eval();
    }
  }
  p.j = scattered(problem, jacobian);
  p.jm = scattered(problem, scaled);
  p.a = product(p);
  return p;
}

}  // namespace ppu::model::methods
