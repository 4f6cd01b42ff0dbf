// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Friction-contact problems as the FCLIB format has them: V. Acary et al., "FCLIB: a collection of
// discrete 3D frictional contact problems" (2014), HDF5 files of
//
//   global   M v = H r + f,  u = H' v + w        local   u = W r + q
//   both     K* contains u + mu |u_T| n, orthogonal to r in K,  K = {|r_T| <= mu r_N} per contact
//
// with one contact after the other in r and u, its normal first, then its tangents. Units are
// those of the file: r an impulse, u a velocity.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/problem/row_problem.hpp"

namespace ppu::model::fclib {

/// Of every number of a problem: their squares are added.
inline constexpr double kLargestNumber = 1e100;
inline constexpr const char* kInRange = "a finite number of at most 1e100";

/// A number of a row or column, of a vector.
inline std::size_t place_of(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

struct Entry {
  std::int32_t row, column;
  double value;
};

/// Entries in the order of rows, then columns, each place once.
struct Matrix {
  std::int32_t rows = 0, columns = 0;
  std::vector<Entry> entry;

  /// y = A x, y = A' x.
  [[nodiscard]] std::vector<double> times(const std::vector<double>& x) const;
  [[nodiscard]] std::vector<double> transposed_times(const std::vector<double>& x) const;
  /// Sorts the entries and adds those of one place.
  void put_in_order();
};

struct Problem {
  std::string name;  ///< Of the file, for messages.
  std::string title, description;
  bool is_global = false;
  std::int32_t dimension = 3;    ///< Numbers per contact: 2 or 3.
  Matrix m, h;                   ///< Of a global problem.
  Matrix w;                      ///< Of a local one.
  std::vector<double> force;     ///< f, of a global problem.
  std::vector<double> offset;    ///< w of a global problem, q of a local one.
  std::vector<double> friction;  ///< mu, one per contact.
  std::vector<double> solution;  ///< r of the file's answer; empty: none.

  [[nodiscard]] std::size_t contacts() const { return friction.size(); }
};

/// Reads and checks `path`, see read_row_problem(). Throws RowProblemError for what is no FCLIB
/// file, for sizes that do not fit, numbers that are not finite or above 1e100, mu < 0, and for
/// equality constraints (G, V, R), which rows here do not have.
Problem read(const std::string& path);

/// What read() checks. Throws RowProblemError.
void check(const Problem& problem);

/// The bytes of a file; checks first. Throws RowProblemError.
std::vector<char> image(const Problem& problem, const std::string& name);

/// M^-1 of a global problem, by blocks on its diagonal that belong to one body: 6 rows in three
/// dimensions, 3 in two. Throws RowProblemError where M has entries outside of them, or is not
/// symmetric and positive definite.
class InverseMass {
 public:
  explicit InverseMass(const Problem& problem);
  [[nodiscard]] std::vector<double> times(const std::vector<double>& x) const;
  /// Row and column within the block of a body.
  [[nodiscard]] double at(std::size_t body, std::size_t row, std::size_t column) const {
    return inverse_[(body * size_ + row) * size_ + column];
  }
  [[nodiscard]] std::size_t block() const { return size_; }

 private:
  std::size_t size_;
  std::vector<double> inverse_;
};

/// The same problem without bodies: W = H' M^-1 H, q = H' M^-1 f + w. A local one is returned as it
/// is. Throws RowProblemError for numbers above 1e100.
Problem localized(const Problem& problem);

/// |F_nat(r)| / |q| of a local problem: F_nat = r - P_K(r - u - mu |u_T| n), Euclidean; |q| of 0
/// counts as 1.
double natural_error(const Problem& local, const std::vector<double>& r);

/// `x`, the normal one first, to the nearest point of {|x_T| <= mu x_N}.
void project_to_cone(double mu, double* x, std::size_t dimension);

/// r with each contact put to the nearest point of its cone.
std::vector<double> in_cones(const Problem& problem, std::vector<double> r);

/// The largest |r_T| - mu r_N, in parts of the largest |r|: how far a pyramid sticks out of its
/// cone.
double cone_excess(const Problem& problem, const std::vector<double>& r);

}  // namespace ppu::model::fclib
