// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The linear systems of the methods here, over a subset S of the rows:
//
//     (J^_S J^_S' + T) x = r,   T = diag(t), t >= 0                             primal, |S| x |S|
//     N y = J^_S' T^-1 r,  N = I + J^_S' T^-1 J^_S,  x = T^-1 (r - J^_S y)      dual, 6n x 6n
//
// Ferris, Wathen and Armand, RAIRO 41 (2007): the primal system is (1), p. 21, with T = D + theta;
// the dual is (2), p. 24. Its N is M^1/2 N M^1/2 of the one here, with the same nonzeros, which
// needs no M, so that a body may have no mass matrix in a direction that is locked.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "model/methods/scaled_rows.hpp"
#include "model/methods/sparse_factor.hpp"

namespace ppu::model::methods {

enum class Form {
  kPrimal,
  kDual,
  kSmaller  ///< The dual where S has more rows than J^_S columns that are not zero: p. 24.
};

struct SystemOptions {
  Form form = Form::kSmaller;
  FactorOptions factor;
  /// Of an incomplete factor, |r - A x| / |r|: p. 22. An exact one is refined instead.
  double gradient_tolerance = 1e-6;
};

class RowSystem {
 public:
  /// `rows` must outlive the system; `subset` is ascending.
  RowSystem(const ScaledRows& rows, std::vector<std::size_t> subset, const SystemOptions& options);
  ~RowSystem();
  RowSystem(RowSystem&&) noexcept;
  RowSystem& operator=(RowSystem&&) noexcept;

  [[nodiscard]] Form form() const;
  /// Rows and columns of the matrix that is factored.
  [[nodiscard]] std::size_t size() const;
  /// Doubles of the factor: the "Nnz" of Tables 1-4.
  [[nodiscard]] std::size_t factor_nonzeros() const;
  /// What an exact factor would take in the form and ordering given, without computing it.
  [[nodiscard]] std::size_t predicted_nonzeros(Ordering ordering) const;
  /// Steps of conjugate gradients so far: the "CG Iter" of Tables 1-4.
  [[nodiscard]] std::size_t gradient_steps() const;

  /// t of the rows of S; positive for the dual. Throws MethodFailure, see sparse_factor.hpp.
  void factorize(const std::vector<double>& t);
  /// x of the rows of S. An exact solve is refined by its residual in the primal form until that
  /// falls no more.
  [[nodiscard]] std::vector<double> solve(const std::vector<double>& r);

 private:
  struct Subset;
  class DualPattern;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ppu::model::methods
