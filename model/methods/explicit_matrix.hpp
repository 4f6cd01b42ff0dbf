// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Pseudo-Code Examples 1 to 3 of US 7,079,145 as a solver of problems whose matrix is given:
// projected Gauss-Seidel on A itself, eq. (9), on J and J_M with v made anew after each row, eq.
// (12), (13), or with v changed by each step, eq. (14), (15); with bounds on both sides as in
// Example 5, and the end of Example 6. A = J J_M' + diag(cfm) is symmetric, positive semidefinite,
// with a positive diagonal. A problem may bring nothing but A; then only Example 1 can solve it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/problem/row_problem.hpp"

namespace ppu::model::methods {

/// By rows: columns column[start[i]..start[i+1]) of row i, ascending.
struct CompressedMatrix {
  std::size_t columns = 0;
  std::vector<std::size_t> start{0};
  std::vector<std::uint32_t> column;
  std::vector<double> value;

  [[nodiscard]] std::size_t rows() const { return start.size() - 1; }
  [[nodiscard]] double row_dot(std::size_t i, const std::vector<double>& x) const;
  void add_row(std::size_t i, double scale, std::vector<double>& x) const;
};

struct ExplicitProblem {
  std::string name;
  CompressedMatrix a;                ///< m x m, in m/s per N s.
  CompressedMatrix j, jm;            ///< m x k, or without rows where only A is known.
  std::vector<double> compliance;    ///< m; the part of A that J J_M' has not.
  std::vector<double> bias;          ///< b, m.
  std::vector<double> lower, upper;  ///< m; not used where parent >= 0.
  std::vector<std::int32_t> parent;  ///< m; an earlier row whose impulse bounds this one, or -1.
  std::vector<double> friction;      ///< m; mu of rows with a parent.

  [[nodiscard]] std::size_t rows() const { return bias.size(); }
};

/// J, J_M = J M^-1 and A of a row problem, friction with parents as it is. Throws RowProblemError
/// where masses are missing or the problem is not what the schema says.
ExplicitProblem explicit_problem(const RowProblem& problem);

/// Throws RowProblemError, with item, what was found and what was expected, for sizes that do not
/// fit, numbers that are not finite, lo > hi, a parent that is no earlier row, a matrix that is not
/// symmetric (to 1e-5 of the diagonal), and a diagonal that is not positive; MethodFailure for a
/// matrix that is not positive semidefinite: by its 2 x 2 minors, and by the pivots of a factor
/// where m <= 4096.
void check_explicit(const ExplicitProblem& problem);

enum class Example { kMatrix = 1, kFullVelocity = 2, kStepVelocity = 3 };

struct ExplicitOptions {
  Example example = Example::kMatrix;
  int max_sweeps = 1000;
  double threshold = 1e-6;  ///< Of the true residual, m/s.
};

struct ExplicitSolution {
  std::vector<double> impulse;  ///< m, N s.
  double residual = 0;          ///< The true residual: the largest rate that breaks its condition.
  int sweeps = 0;
  bool reached = false;
  bool dense = false;  ///< A was stored in full: where a quarter of it or more is not zero.
};

/// Checks, then sweeps from zero. Throws what check_explicit() does, RowProblemError where Example
/// 2 or 3 is asked of a problem without J, and MethodFailure where impulses grow without end.
ExplicitSolution solve_explicit(const ExplicitProblem& problem, const ExplicitOptions& options);

}  // namespace ppu::model::methods
