// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A boxed problem of two-body rows with the mass shared by both sides, in double precision.
//
//     min 1/2 x'A x + b'x,  lo <= x <= hi,   A = J^ J^' + D,   J^ = J M^-1/2,   D = diag(cfm)
//
// US 7,079,145 eq. (26), (27); the problem is that of Ferris, Wathen and Armand, "Limited memory
// solution of bound constrained convex quadratic problems arising in video games", RAIRO 41 (2007),
// p. 20. A is symmetric to the last bit, which J and the rounded M^-1 J' of a file would not give,
// and is never formed here. Units: x in N s, u = A x + b in m/s or rad/s, J^ in kg^-1/2.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "model/problem/row_problem.hpp"

namespace ppu::model::methods {

/// The numbers, not the input, fail. `what()` is one sentence: the item, what was found, what was
/// expected. Malformed input is a RowProblemError.
class MethodFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct ScaledRows {
  std::size_t bodies = 0;
  std::vector<std::array<std::int32_t, 2>> body;  ///< m x 2; -1 = no block.
  std::vector<double> jacobian;                   ///< J^, m x 12.
  std::vector<double> compliance;                 ///< D, m.
  std::vector<double> bias;                       ///< b, m.
  std::vector<double> lower, upper;               ///< m; infinite where there is no bound.
  std::vector<double> diagonal;                   ///< a_ii, m.

  [[nodiscard]] std::size_t rows() const { return body.size(); }

  /// J^_i v, v of 6 bodies elements.
  [[nodiscard]] double row_dot(std::size_t i, const std::vector<double>& v) const;
  /// v += scale J^_i'.
  void add_row(std::size_t i, double scale, std::vector<double>& v) const;
  /// v = J^' x.
  [[nodiscard]] std::vector<double> transposed(const std::vector<double>& x) const;
  /// A x + b.
  [[nodiscard]] std::vector<double> rates(const std::vector<double>& x) const;
  /// x put into the bounds of row i.
  [[nodiscard]] double clamped(std::size_t i, double x) const;
};

/// Bounds of this size and beyond are none. The paper (p. 20) takes 1e20; Bullet writes 1e10.
inline constexpr double kNoBound = 1e10;

/// Throws RowProblemError where a row still has a parent (freeze_friction() or solve_coupled()
/// come first), where masses are missing, and where an inverse mass or inertia is not positive
/// semidefinite.
ScaledRows scaled_rows(const RowProblem& problem);

/// J^' x as the velocities of the schema, n x 6: M^-1 J' x.
std::vector<double> velocity_of(const RowProblem& problem, const std::vector<double>& impulse);

/// How far x is from solving the problem.
struct Residual {
  double paper = 0;     ///< r_1 of Morales, Nocedal and Smelyanskiy (2.7), without unit.
  double natural = 0;   ///< max_i |x_i - med(lo_i, x_i - u_i, hi_i)|: N s and m/s mixed.
  double relative = 0;  ///< |F_nat| / |b|, Euclidean, of the same differences: the field's.
  double rate = 0;      ///< max_i of the rate that breaks its condition, m/s: the true residual.
};

/// The residual of x with rates u = A x + b. (2.7) for boxed rows: rows without bounds are (2.6a),
/// rho_b of (2.6b) is the largest |x - med(lo, x - u, hi)|, which is |min(x, u)| for 0 <= x, and
/// rho_c of (2.6c) the largest rate that points out of reach: -u at lo, u at hi.
Residual residual(const ScaledRows& rows, const std::vector<double>& x,
                  const std::vector<double>& u);

/// 1/2 x'A x + b'x = 1/2 x'(u + b).
double objective(const ScaledRows& rows, const std::vector<double>& x,
                 const std::vector<double>& u);

}  // namespace ppu::model::methods
