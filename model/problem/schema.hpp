// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Names and limits of the `ppu-rows` schema that reader, writer and validation share, and the list
// of its numeric arrays: where each lives in the file and in a RowProblem.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/problem/row_problem.hpp"

namespace ppu::model {

inline constexpr const char* kFormat = "ppu-rows";
inline constexpr std::int64_t kVersion = 1;

/// Attribute of the whole file, see digest_of(). Files of others may have none.
inline constexpr const char* kDigest = "digest";

inline constexpr const char* kRowsGroup = "rows";
inline constexpr const char* kBodiesGroup = "bodies";
inline constexpr const char* kReferenceGroup = "reference";
inline constexpr const char* kSolutionGroup = "solution";

/// What a dataset has one entry for.
enum class Per { kRow, kBody };

/// One float32 dataset. `columns` counts the values per row (or body) and `inner` how many of them
/// the last dimension of a three-dimensional dataset holds (0: the dataset is a vector or a
/// matrix).
struct FloatArray {
  Per per;
  const char* name;
  std::vector<float> RowProblem::*member;
  std::size_t columns;
  std::size_t inner;
  bool required;
};

inline constexpr FloatArray kFloatArrays[] = {
    {Per::kRow, "jacobian", &RowProblem::jacobian, 12, 0, true},
    {Per::kRow, "inv_mass_jacobian", &RowProblem::inv_mass_jacobian, 12, 0, true},
    {Per::kRow, "rate_bias", &RowProblem::rate_bias, 1, 0, true},
    {Per::kRow, "inv_diagonal", &RowProblem::inv_diagonal, 1, 0, true},
    {Per::kRow, "lower", &RowProblem::lower, 1, 0, true},
    {Per::kRow, "upper", &RowProblem::upper, 1, 0, true},
    {Per::kRow, "friction", &RowProblem::friction, 1, 0, true},
    {Per::kRow, "compliance", &RowProblem::compliance, 1, 0, true},
    {Per::kRow, "impulse", &RowProblem::impulse, 1, 0, true},
    {Per::kBody, "velocity_change", &RowProblem::velocity_change, 6, 0, true},
    {Per::kBody, "velocity_free", &RowProblem::velocity_free, 6, 0, false},
    {Per::kBody, "position", &RowProblem::position, 3, 0, false},
    {Per::kBody, "inv_mass", &RowProblem::inv_mass, 1, 0, false},
    {Per::kBody, "inv_inertia", &RowProblem::inv_inertia, 9, 3, false},
};

inline bool is_row_array(const FloatArray& array) {
  return array.per == Per::kRow;
}
inline const char* group_of(const FloatArray& array) {
  return is_row_array(array) ? kRowsGroup : kBodiesGroup;
}

/// The dataset's shape for `count` rows or bodies.
inline std::vector<unsigned long long> shape_of(const FloatArray& array, std::size_t count) {
  if (array.inner != 0) return {count, array.columns / array.inner, array.inner};
  if (array.columns == 1) return {count};
  return {count, array.columns};
}

/// Bytes of all arrays of a problem that has every one of them.
inline std::size_t bytes_of_arrays(std::size_t rows, std::size_t bodies) {
  constexpr std::size_t kRowIntegers = 3 * sizeof(std::int32_t) + 1;  // parent, body, kind
  constexpr std::size_t kSolutions = 2;                               // reference, solution
  std::size_t bytes = rows * kRowIntegers + kSolutions * (rows + 6 * bodies) * sizeof(float);
  for (const auto& array : kFloatArrays)
    bytes += (is_row_array(array) ? rows : bodies) * array.columns * sizeof(float);
  return bytes;
}

struct TextAttribute {
  const char* name;
  std::string RowProblem::*member;
};
inline constexpr TextAttribute kTextAttributes[] = {
    {"name", &RowProblem::name},           {"scene", &RowProblem::scene},
    {"params", &RowProblem::params},       {"engine", &RowProblem::engine},
    {"row_order", &RowProblem::row_order},
};

struct IntegerAttribute {
  const char* name;
  std::int64_t RowProblem::*member;
};
inline constexpr IntegerAttribute kIntegerAttributes[] = {
    {"seed", &RowProblem::seed},
    {"frame", &RowProblem::frame},
};

}  // namespace ppu::model
