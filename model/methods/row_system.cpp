// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Assembly of the primal and the dual matrix from two-body rows, and solving with either.
#include "model/methods/row_system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace ppu::model::methods {
namespace {

/// A row of S on one of its bodies.
struct Half {
  std::size_t row;  ///< In S.
  const double* block;
};

}  // namespace

/// J^_S over the bodies that its rows touch, numbered anew.
struct Subset {
  std::size_t bodies = 0;
  std::vector<std::array<int, 2>> body;  ///< Of each row.
  std::vector<const double*> block;      ///< 12 elements of each row.

  [[nodiscard]] std::size_t rows() const { return body.size(); }
};

namespace {

Subset subset_of(const ScaledRows& rows, const std::vector<std::size_t>& chosen) {
  Subset subset;
  std::vector<int> number(rows.bodies, -1);
  for (const std::size_t i : chosen) {
    std::array<int, 2> body{-1, -1};
    for (std::size_t half = 0; half < 2; ++half) {
      if (rows.body[i][half] < 0) continue;
      int& found = number[at(rows.body[i][half])];
      if (found < 0) found = static_cast<int>(subset.bodies++);
      body[half] = found;
    }
    subset.body.push_back(body);
    subset.block.push_back(&rows.jacobian[12 * i]);
  }
  return subset;
}

double dot6(const double* a, const double* b) {
  double sum = 0;
  for (std::size_t k = 0; k < 6; ++k) sum += a[k] * b[k];
  return sum;
}

/// J^_S J^_S', lower triangle.
SymmetricMatrix primal_matrix(const Subset& subset) {
  std::vector<std::vector<Half>> halves(subset.bodies);
  for (std::size_t i = 0; i < subset.rows(); ++i) {
    for (std::size_t half = 0; half < 2; ++half) {
      const int body = subset.body[i][half];
      if (body >= 0) halves[at(body)].push_back({i, subset.block[i] + 6 * half});
    }
  }
  SymmetricMatrix matrix;
  std::vector<double> column(subset.rows());
  std::vector<char> used(subset.rows());
  for (std::size_t j = 0; j < subset.rows(); ++j) {
    std::vector<int> touched{static_cast<int>(j)};
    used[j] = 1;
    for (std::size_t half = 0; half < 2; ++half) {
      if (subset.body[j][half] < 0) continue;
      for (const Half& other : halves[at(subset.body[j][half])]) {
        if (other.row < j) continue;
        if (!used[other.row]) touched.push_back(static_cast<int>(other.row));
        used[other.row] = 1;
        column[other.row] += dot6(other.block, subset.block[j] + 6 * half);
      }
    }
    std::sort(touched.begin(), touched.end());
    for (const int i : touched) {
      matrix.row.push_back(i);
      matrix.value.push_back(column[at(i)]);
      column[at(i)] = 0;
      used[at(i)] = 0;
    }
    matrix.start.push_back(static_cast<int>(matrix.row.size()));
  }
  return matrix;
}

}  // namespace

/// Where the 6x6 blocks of N are in its lower triangle.
class DualPattern {
 public:
  explicit DualPattern(const Subset& subset) : below_(subset.bodies) {
    for (const auto& [a, b] : subset.body) {
      if (a >= 0 && b >= 0 && a != b) below_[at(std::min(a, b))].push_back(std::max(a, b));
    }
    for (std::size_t column = 0; column < below_.size(); ++column) {
      auto& rows = below_[column];
      std::sort(rows.begin(), rows.end());
      rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
      for (int k = 0; k < 6; ++k) {
        for (int i = k; i < 6; ++i) matrix_.row.push_back(6 * static_cast<int>(column) + i);
        for (const int row : rows) {
          for (int i = 0; i < 6; ++i) matrix_.row.push_back(6 * row + i);
        }
        matrix_.start.push_back(static_cast<int>(matrix_.row.size()));
      }
    }
    matrix_.value.assign(matrix_.row.size(), 0.0);
  }

  /// I + J^_S' diag(weight) J^_S.
  const SymmetricMatrix& filled(const Subset& subset, const std::vector<double>& weight) {
    std::fill(matrix_.value.begin(), matrix_.value.end(), 0.0);
    for (std::size_t j = 0; j < matrix_.size(); ++j) matrix_.value[at(matrix_.start[j])] = 1;
    for (std::size_t i = 0; i < subset.rows(); ++i) {
      for (std::size_t p = 0; p < 2; ++p) {
        for (std::size_t q = 0; q < 2; ++q) {
          const int row = subset.body[i][p], column = subset.body[i][q];
          if (row < 0 || column < 0 || row < column) continue;
          add_block(row, column, subset.block[i] + 6 * p, subset.block[i] + 6 * q, weight[i]);
        }
      }
    }
    return matrix_;
  }

 private:
  void add_block(int row, int column, const double* left, const double* right, double weight) {
    const auto& below = below_[at(column)];
    const auto found = std::lower_bound(below.begin(), below.end(), row);
    for (int k = 0; k < 6; ++k) {
      const int start = matrix_.start[at(6 * column + k)];
      const int first = row == column ? k : 0;
      const int place =
          row == column ? start - k : start + 6 - k + 6 * static_cast<int>(found - below.begin());
      for (int i = first; i < 6; ++i) {
        matrix_.value[at(place + i)] += weight * left[i] * right[k];
      }
    }
  }

  std::vector<std::vector<int>> below_;  ///< Of each body, those that follow and share a row.
  SymmetricMatrix matrix_;
};

struct RowSystem::State {
  Subset subset;
  SystemOptions options;
  Form form = Form::kPrimal;
  std::size_t gradient_steps = 0;
  std::vector<double> t;
  std::vector<double> diagonal;  ///< Of the primal matrix without T.
  SymmetricMatrix matrix;
  std::unique_ptr<DualPattern> dual;
  SparseFactor factor;

  State(const ScaledRows& rows, const std::vector<std::size_t>& chosen, const SystemOptions& given)
      : subset(subset_of(rows, chosen)), options(given), form(given.form), factor(given.factor) {
    if (form == Form::kSmaller) {
      form = subset.rows() > 6 * subset.bodies ? Form::kDual : Form::kPrimal;
    }
    if (form == Form::kDual) {
      dual = std::make_unique<DualPattern>(subset);
      matrix = dual->filled(subset, std::vector<double>(subset.rows()));
      return;
    }
    matrix = primal_matrix(subset);
    for (std::size_t j = 0; j < matrix.size(); ++j) {
      diagonal.push_back(matrix.value[at(matrix.start[j])]);
    }
  }

  /// J^_S' x and J^_S y.
  [[nodiscard]] std::vector<double> transposed(const std::vector<double>& x) const {
    std::vector<double> y(6 * subset.bodies);
    for (std::size_t i = 0; i < subset.rows(); ++i) {
      for (std::size_t k = 0; k < 12; ++k) {
        const int body = subset.body[i][k / 6];
        if (body >= 0) y[6 * at(body) + k % 6] += subset.block[i][k] * x[i];
      }
    }
    return y;
  }
  [[nodiscard]] std::vector<double> times(const std::vector<double>& y) const {
    std::vector<double> x(subset.rows());
    for (std::size_t i = 0; i < subset.rows(); ++i) {
      for (std::size_t half = 0; half < 2; ++half) {
        const int body = subset.body[i][half];
        if (body >= 0) x[i] += dot6(subset.block[i] + 6 * half, &y[6 * at(body)]);
      }
    }
    return x;
  }

  /// (the matrix)^-1 r.
  [[nodiscard]] std::vector<double> solve_matrix(const std::vector<double>& r) {
    if (options.factor.factor == Factor::kExact) return factor.solve(r);
    std::vector<double> x;
    gradient_steps +=
        conjugate_gradients(matrix, factor, r, options.gradient_tolerance, 10 * r.size() + 100, x);
    return x;
  }

  [[nodiscard]] std::vector<double> solve_once(const std::vector<double>& r) {
    if (form == Form::kPrimal) return solve_matrix(r);
    std::vector<double> x(r.size());
    for (std::size_t i = 0; i < r.size(); ++i) x[i] = r[i] / t[i];
    const std::vector<double> jy = times(solve_matrix(transposed(x)));
    for (std::size_t i = 0; i < r.size(); ++i) x[i] = (r[i] - jy[i]) / t[i];
    return x;
  }

  /// r - (J^_S J^_S' + T) x; the largest element goes to `size`.
  [[nodiscard]] std::vector<double> left_over(const std::vector<double>& r,
                                              const std::vector<double>& x, double& size) const {
    std::vector<double> left = times(transposed(x));
    size = 0;
    for (std::size_t i = 0; i < r.size(); ++i) {
      left[i] = r[i] - left[i] - t[i] * x[i];
      size = std::max(size, std::fabs(left[i]));
    }
    return left;
  }
};

RowSystem::RowSystem(const ScaledRows& rows, std::vector<std::size_t> subset,
                     const SystemOptions& options)
    : state_(std::make_unique<State>(rows, subset, options)) {
}
RowSystem::~RowSystem() = default;
RowSystem::RowSystem(RowSystem&&) noexcept = default;
RowSystem& RowSystem::operator=(RowSystem&&) noexcept = default;

Form RowSystem::form() const {
  return state_->form;
}
std::size_t RowSystem::size() const {
  return state_->matrix.size();
}
std::size_t RowSystem::factor_nonzeros() const {
  return state_->factor.nonzeros();
}
std::size_t RowSystem::gradient_steps() const {
  return state_->gradient_steps;
}

std::size_t RowSystem::predicted_nonzeros(Ordering ordering) const {
  return methods::factor_nonzeros(state_->matrix.permuted(ordered(state_->matrix, ordering)));
}

void RowSystem::factorize(const std::vector<double>& t) {
  State& s = *state_;
  s.t = t;
  if (s.form == Form::kDual) {
    std::vector<double> weight;
    for (const double value : t) {
      if (!(value > 0)) {
        throw MethodFailure("the dual system: found the shift " + std::to_string(value) +
                            ", expected compliance, or a shift, above 0");
      }
      weight.push_back(1 / value);
    }
    s.matrix = s.dual->filled(s.subset, weight);
  } else {
    for (std::size_t j = 0; j < s.matrix.size(); ++j) {
      s.matrix.value[at(s.matrix.start[j])] = s.diagonal[j] + t[j];
    }
  }
  s.factor.factorize(s.matrix);
}

std::vector<double> RowSystem::solve(const std::vector<double>& r) {
  std::vector<double> x = state_->solve_once(r);
  if (state_->options.factor.factor == Factor::kIncomplete) return x;
  constexpr int kMaxRefinements = 5;
  double size = 0;
  std::vector<double> left = state_->left_over(r, x, size);
  for (int count = 0; count < kMaxRefinements && size > 0; ++count) {
    std::vector<double> better = state_->solve_once(left);
    for (std::size_t i = 0; i < r.size(); ++i) better[i] += x[i];
    double next = 0;
    left = state_->left_over(r, better, next);
    if (!(next < 0.5 * size)) break;
    x = std::move(better);
    size = next;
  }
  return x;
}

}  // namespace ppu::model::methods
