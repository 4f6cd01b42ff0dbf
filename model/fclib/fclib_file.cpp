// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// FCLIB files as this process gets them: by way of the reader process, then checked.
#include <algorithm>
#include <cmath>

#include "model/fclib/fclib_bytes.hpp"
#include "model/files/problem_reader.hpp"
#include "model/problem/problem_error.hpp"

namespace ppu::model::fclib {
namespace {

void check_size(const Problem& p, const char* item, std::size_t found, std::size_t expected) {
  if (found != expected)
    refuse(p.name, item, std::to_string(found) + " values", std::to_string(expected));
}

void check_matrix(const Problem& p, const char* item, const Matrix& matrix, std::size_t rows,
                  std::size_t columns) {
  if (static_cast<std::size_t>(matrix.rows) != rows ||
      static_cast<std::size_t>(matrix.columns) != columns)
    refuse(p.name, item,
           std::to_string(matrix.rows) + " x " + std::to_string(matrix.columns) + " entries",
           std::to_string(rows) + " x " + std::to_string(columns));
  for (const Entry& entry : matrix.entry)
    if (!(std::fabs(entry.value) <= kLargestNumber))
      refuse(p.name, std::string(item) + " column " + std::to_string(entry.column),
             static_cast<std::size_t>(entry.row), number_text(entry.value), kInRange);
}

void check_vector(const Problem& p, const char* item, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(std::fabs(values[i]) <= kLargestNumber))
      refuse(p.name, item, i, number_text(values[i]), kInRange);
}

}  // namespace

void check(const Problem& p) {
  if (p.dimension != 2 && p.dimension != 3)
    refuse(p.name, "spacedim", std::to_string(p.dimension), "2 or 3");
  if (p.contacts() == 0 || 9 * p.contacts() > kMaxRows)
    refuse(p.name, "vectors/mu", std::to_string(p.contacts()) + " contacts",
           "1 to " + std::to_string(kMaxRows / 9));
  const std::size_t rows = static_cast<std::size_t>(p.dimension) * p.contacts();
  if (p.is_global) {
    const auto size = static_cast<std::size_t>(p.m.rows);
    check_matrix(p, "M", p.m, size, size);
    check_matrix(p, "H", p.h, size, rows);
    check_size(p, "vectors/f", p.force.size(), size);
    check_size(p, "vectors/w", p.offset.size(), rows);
  } else {
    check_matrix(p, "W", p.w, rows, rows);
    check_size(p, "vectors/q", p.offset.size(), rows);
  }
  if (!p.solution.empty()) check_size(p, "/solution/r", p.solution.size(), rows);
  check_vector(p, "vectors/f", p.force);
  check_vector(p, p.is_global ? "vectors/w" : "vectors/q", p.offset);
  check_vector(p, "vectors/mu", p.friction);
  check_vector(p, "/solution/r", p.solution);
  for (std::size_t i = 0; i < p.contacts(); ++i)
    if (p.friction[i] < 0)
      refuse(p.name, "vectors/mu", i, number_text(p.friction[i]), "a number >= 0");
}

Problem read(const std::string& path) {
  Problem problem;
  reader::read_file_as(reader::kFclib, path, [&](ByteReader& bytes) { describe(bytes, problem); });
  problem.name = path;
  for (Matrix* matrix : {&problem.m, &problem.h, &problem.w}) matrix->put_in_order();
  check(problem);
  return problem;
}

}  // namespace ppu::model::fclib
