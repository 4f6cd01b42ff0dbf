// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Examples 1 to 3: what differs is how the rate of a row is found.
#include "model/methods/explicit_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "model/methods/scaled_rows.hpp"
#include "model/problem/problem_error.hpp"

namespace ppu::model::methods {
namespace {

/// What a sweep asks of an example.
class Rates {
 public:
  Rates() = default;
  Rates(const Rates&) = delete;
  Rates& operator=(const Rates&) = delete;
  virtual ~Rates() = default;
  /// b_i + (A f)_i.
  [[nodiscard]] virtual double rate(std::size_t i, const std::vector<double>& f) const = 0;
  /// f_i has changed by `step`.
  virtual void stepped(std::size_t, double, const std::vector<double>&) {}
};

/// Example 1, eq. (9), with A in full.
class DenseRates : public Rates {
 public:
  explicit DenseRates(const ExplicitProblem& problem)
      : problem_(problem), a_(problem.rows() * problem.rows()) {
    for (std::size_t i = 0; i < problem.rows(); ++i) {
      for (std::size_t p = problem.a.start[i]; p < problem.a.start[i + 1]; ++p) {
        a_[i * problem.rows() + problem.a.column[p]] = problem.a.value[p];
      }
    }
  }
  [[nodiscard]] double rate(std::size_t i, const std::vector<double>& f) const override {
    double u = problem_.bias[i];
    const double* row = &a_[i * f.size()];
    for (std::size_t k = 0; k < f.size(); ++k) u += row[k] * f[k];
    return u;
  }

 private:
  const ExplicitProblem& problem_;
  std::vector<double> a_;
};

/// Example 1, eq. (9), with A as given.
class SparseRates : public Rates {
 public:
  explicit SparseRates(const ExplicitProblem& problem) : problem_(problem) {}
  [[nodiscard]] double rate(std::size_t i, const std::vector<double>& f) const override {
    return problem_.bias[i] + problem_.a.row_dot(i, f);
  }

 private:
  const ExplicitProblem& problem_;
};

/// Examples 2 and 3: v = J_M' f, in full by eq. (13) or by its change, eq. (15).
class VelocityRates : public Rates {
 public:
  VelocityRates(const ExplicitProblem& problem, bool in_full)
      : problem_(problem), in_full_(in_full), v_(problem.j.columns) {}
  [[nodiscard]] double rate(std::size_t i, const std::vector<double>& f) const override {
    return problem_.bias[i] + problem_.j.row_dot(i, v_) + problem_.compliance[i] * f[i];
  }
  void stepped(std::size_t i, double step, const std::vector<double>& f) override {
    if (!in_full_) {
      problem_.jm.add_row(i, step, v_);
      return;
    }
    std::fill(v_.begin(), v_.end(), 0.0);
    for (std::size_t k = 0; k < f.size(); ++k) problem_.jm.add_row(k, f[k], v_);
  }

 private:
  const ExplicitProblem& problem_;
  bool in_full_;
  std::vector<double> v_;
};

struct Range {
  double lower, upper;
};

Range range_of(const ExplicitProblem& problem, const std::vector<double>& f, std::size_t i) {
  if (problem.parent[i] < 0) return {problem.lower[i], problem.upper[i]};
  const double parent = f[static_cast<std::size_t>(problem.parent[i])];
  const double reach = problem.friction[i] * std::max(0.0, parent);
  return {-reach, reach};
}

/// The part of u that breaks (3)-(7).
double violation(double u, double f, const Range& range) {
  if (range.lower == range.upper) return 0;
  if (f <= range.lower) return std::max(0.0, -u);
  if (f >= range.upper) return std::max(0.0, u);
  return std::fabs(u);
}

double diagonal(const ExplicitProblem& problem, std::size_t i) {
  const auto first = problem.a.column.begin();
  const auto end = first + static_cast<std::ptrdiff_t>(problem.a.start[i + 1]);
  const auto found = std::lower_bound(first + static_cast<std::ptrdiff_t>(problem.a.start[i]), end,
                                      static_cast<std::uint32_t>(i));
  return problem.a.value[static_cast<std::size_t>(found - first)];
}

/// One sweep; the largest violation that its rows began with.
double sweep(const ExplicitProblem& problem, const std::vector<double>& diagonals, Rates& rates,
             std::vector<double>& f) {
  double largest = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const Range range = range_of(problem, f, i);
    const double u = rates.rate(i, f);
    const double next = std::min(std::max(f[i] - u / diagonals[i], range.lower), range.upper);
    largest = std::max(largest, violation(u, next, range));
    const double step = next - f[i];
    f[i] = next;
    if (step != 0) rates.stepped(i, step, f);
  }
  return largest;
}

double true_residual(const ExplicitProblem& problem, const Rates& rates,
                     const std::vector<double>& f) {
  double largest = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const double found = violation(rates.rate(i, f), f[i], range_of(problem, f, i));
    if (found > largest || std::isnan(found)) largest = found;
  }
  return largest;
}

std::unique_ptr<Rates> rates_of(const ExplicitProblem& problem, Example example, bool is_dense) {
  if (example == Example::kMatrix) {
    if (is_dense) return std::make_unique<DenseRates>(problem);
    return std::make_unique<SparseRates>(problem);
  }
  return std::make_unique<VelocityRates>(problem, example == Example::kFullVelocity);
}

}  // namespace

double CompressedMatrix::row_dot(std::size_t i, const std::vector<double>& x) const {
  double sum = 0;
  for (std::size_t p = start[i]; p < start[i + 1]; ++p) sum += value[p] * x[column[p]];
  return sum;
}

void CompressedMatrix::add_row(std::size_t i, double scale, std::vector<double>& x) const {
  for (std::size_t p = start[i]; p < start[i + 1]; ++p) x[column[p]] += scale * value[p];
}

ExplicitSolution solve_explicit(const ExplicitProblem& problem, const ExplicitOptions& options) {
  check_explicit(problem);
  if (options.example != Example::kMatrix && problem.j.rows() != problem.rows()) {
    throw RowProblemError(of_file(problem.name) +
                          "J: found nothing, expected the matrix that Examples 2 " +
                          "and 3 need (Example 1 needs only A)");
  }
  const std::size_t m = problem.rows();
  ExplicitSolution solution;
  solution.dense = options.example == Example::kMatrix && 4 * problem.a.value.size() >= m * m;
  const auto rates = rates_of(problem, options.example, solution.dense);
  std::vector<double> diagonals;
  for (std::size_t i = 0; i < m; ++i) diagonals.push_back(diagonal(problem, i));
  solution.impulse.assign(m, 0.0);
  solution.residual = true_residual(problem, *rates, solution.impulse);
  while (!(solution.residual <= options.threshold) && solution.sweeps < options.max_sweeps) {
    const double seen = sweep(problem, diagonals, *rates, solution.impulse);
    ++solution.sweeps;
    const bool is_last = solution.sweeps == options.max_sweeps;
    // What a sweep saw is not what it leaves: a pass that looks decides.
    if (seen <= options.threshold || is_last || !std::isfinite(seen)) {
      solution.residual = true_residual(problem, *rates, solution.impulse);
    }
    if (!std::isfinite(seen) || !std::isfinite(solution.residual)) {
      throw MethodFailure(of_file(problem.name) + "impulses: found one that is not finite after " +
                          std::to_string(solution.sweeps) +
                          " sweeps, expected a problem with a solution");
    }
  }
  solution.reached = solution.residual <= options.threshold;
  return solution;
}

}  // namespace ppu::model::methods
