// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A Cholesky factor of a sparse positive definite matrix, exact or incomplete, and solving with it.
#pragma once

#include <memory>
#include <vector>

#include "model/methods/symmetric_matrix.hpp"

namespace ppu::model::methods {

enum class Factor {
  kExact,      ///< L D L', Eigen's SimplicialLDLT.
  kIncomplete  ///< L L' without entries below the drop tolerance, as a preconditioner.
};

struct FactorOptions {
  Ordering ordering = Ordering::kReverseCuthillMcKee;
  Factor factor = Factor::kExact;
  /// An entry of column j is dropped where it is below this part of the norm of column j of the
  /// matrix: RAIRO 41 (2007), section 2.1, p. 23, and Table 4, p. 26 (1e-3, 1e-4, 1e-8).
  double drop_tolerance = 1e-4;
};

/// The ordering is found once, for the first matrix; later ones have the same pattern.
class SparseFactor {
 public:
  explicit SparseFactor(const FactorOptions& options);
  ~SparseFactor();
  SparseFactor(SparseFactor&&) noexcept;
  SparseFactor& operator=(SparseFactor&&) noexcept;

  /// Throws MethodFailure where a number is not finite or a pivot of the exact factor not positive.
  /// Pivots of the incomplete one are kept positive by a larger diagonal, as far as it takes.
  void factorize(const SymmetricMatrix& matrix);
  /// (L L')^-1 r.
  [[nodiscard]] std::vector<double> solve(const std::vector<double>& r) const;
  /// Doubles of L with its diagonal.
  [[nodiscard]] std::size_t nonzeros() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Conjugate gradients on A x = r from zero (Saad, "Iterative methods for sparse linear systems",
/// 2nd ed. 2003, algorithm 9.1), preconditioned, until |r - A x| <= tolerance |r|. Returns the
/// steps made. Throws MethodFailure where `max_steps` are not enough or A is not positive.
std::size_t conjugate_gradients(const SymmetricMatrix& a, const SparseFactor& preconditioner,
                                const std::vector<double>& r, double tolerance,
                                std::size_t max_steps, std::vector<double>& x);

}  // namespace ppu::model::methods
