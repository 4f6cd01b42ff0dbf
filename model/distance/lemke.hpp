// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Lemke's complementary pivoting for the linear complementarity problem
//
//     w = M z + q,   w >= 0,   z >= 0,   w'z = 0
//
// by the augmented problem w = M z + q + z0 (1, ..., 1)': z0 enters where q is lowest; from then on
// the variable enters that is complementary to the one that left, until z0 leaves. P. Kipfer, "LCP
// algorithms for collision detection using CUDA", GPU Gems 3, chapter 33 (2007); K. G. Murty,
// "Linear complementarity, linear and nonlinear programming" (1988), chapter 2, whose lexicographic
// rule (2.1.4) says which of several rows with the same ratio leaves, so that no basis comes twice.
//
// The tableau is a dictionary: row i is the basic variable i as q_i + sum_k T_ik (nonbasic k). A
// pivot makes the new row of the entering variable and adds it, scaled, to every other row.
#pragma once

#include <cstddef>
#include <vector>

namespace ppu::model::distance {

class LemkeTableau {
 public:
  /// What is left to do.
  enum class State {
    kGoesOn,
    kSolved,
    kRay,    ///< No row limits the entering variable: M z + q >= 0 has no solution z >= 0, where
             ///< M is positive semidefinite.
    kCycles  ///< More pivots than max_pivots(): numbers too far apart for double precision.
  };

  /// Forgets what was there: M and q of zeros, to be filled by coefficient() and constant().
  void reset(std::size_t size);
  double& coefficient(std::size_t row, std::size_t column) {
    return cell_[row * stride_ + 1 + column];
  }
  double& constant(std::size_t row) { return cell_[row * stride_]; }

  /// Finds the row that leaves for the entering variable.
  State select();
  /// Exchanges the two.
  void pivot();
  /// select() and pivot() until there is nothing left to do.
  State solve();

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t pivots() const { return pivots_; }
  /// Columns of a row: one constant and size() + 1 coefficients.
  [[nodiscard]] std::size_t columns() const { return size_ + 2; }
  [[nodiscard]] std::size_t max_pivots() const { return 50 * (size_ + 1); }
  /// A row's constant and coefficients; what select() has found, before pivot().
  [[nodiscard]] const double* row(std::size_t i) const { return cell_.data() + i * stride_; }
  [[nodiscard]] std::size_t leaving_row() const { return leaving_row_; }
  [[nodiscard]] std::size_t entering_column() const { return 1 + place_[entering_]; }
  /// z_i of the basis reached.
  [[nodiscard]] double z(std::size_t i) const;

 private:
  /// Variables: w_i is i, z_i is size_ + i, z0 is 2 size_.
  using Variable = std::size_t;
  [[nodiscard]] Variable artificial() const { return 2 * size_; }
  [[nodiscard]] Variable complement(Variable variable) const {
    return variable < size_ ? variable + size_ : variable - size_;
  }
  /// Entry of row `row` in column `j` of the inverse of the basis.
  [[nodiscard]] double inverse(std::size_t row, std::size_t j) const;
  /// Rows of candidates_ whose `value` is the least of them, but for rounding.
  template <class Value>
  void keep_least(Value value);
  void select_first();

  std::size_t size_ = 0, stride_ = 0, pivots_ = 0;
  std::vector<double> cell_;
  std::vector<Variable> basic_;     ///< Of each row.
  std::vector<Variable> nonbasic_;  ///< Of each column of coefficients.
  std::vector<std::size_t> place_;  ///< Row or column of each variable.
  std::vector<char> is_basic_;      ///< Of each variable.
  std::vector<std::size_t> candidates_;
  std::vector<double> values_;
  Variable entering_ = 0;
  std::size_t leaving_row_ = 0;
};

}  // namespace ppu::model::distance
