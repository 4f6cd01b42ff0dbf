// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A sparse symmetric matrix by its lower triangle, the orderings that keep its Cholesky factor
// small, and the size of that factor, counted in doubles without computing it.
#pragma once

#include <cstddef>
#include <vector>

namespace ppu::model::methods {

/// An index of this folder's sparse matrices and graphs, of a vector.
inline std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

/// Lower triangle by columns: rows row[start[j]..start[j+1]) of column j, ascending, the diagonal
/// first and always there.
struct SymmetricMatrix {
  std::vector<int> start{0};
  std::vector<int> row;
  std::vector<double> value;

  [[nodiscard]] std::size_t size() const { return start.size() - 1; }
  /// y = A x.
  [[nodiscard]] std::vector<double> times(const std::vector<double>& x) const;
  /// Row and column order[k] of this matrix as row and column k.
  [[nodiscard]] SymmetricMatrix permuted(const std::vector<int>& order) const;
};

enum class Ordering {
  kNatural,              ///< As given.
  kReverseCuthillMcKee,  ///< Of the paper: RAIRO 41 (2007), section 2.3, p. 25.
  kMinimumDegree         ///< Approximate minimum degree, for comparison.
};

/// Which row and column of the matrix come k-th.
std::vector<int> ordered(const SymmetricMatrix& matrix, Ordering ordering);

/// Numbers each component from a node of small degree at its end (George and Liu's search) outwards
/// by breadth, neighbours by degree, and turns the numbers round.
std::vector<int> reverse_cuthill_mckee(const SymmetricMatrix& matrix);

/// Nonzeros of the exact factor L with its diagonal, by the elimination tree: the "Nnz" of the
/// paper's tables.
std::size_t factor_nonzeros(const SymmetricMatrix& matrix);

}  // namespace ppu::model::methods
