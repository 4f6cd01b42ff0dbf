// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The one sentence every refused row problem gets: file, place, row, found, expected.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "model/problem/row_problem.hpp"

namespace ppu::model {

/// `file: `, or nothing where the problem is of no file.
inline std::string of_file(const std::string& file) {
  return file.empty() ? file : file + ": ";
}

/// As short as six digits can be, whatever its size.
inline std::string number_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

/// `place` is a dataset, a group or an attribute, such as "/rows/parent".
[[noreturn]] inline void refuse(const std::string& file, const std::string& place,
                                const std::string& found, const std::string& expected) {
  throw RowProblemError(of_file(file) + place + ": found " + found + ", expected " + expected);
}

[[noreturn]] inline void refuse(const std::string& file, const std::string& place, std::size_t row,
                                const std::string& found, const std::string& expected) {
  refuse(file, place + " row " + std::to_string(row), found, expected);
}

/// Refuses NaN and infinities in an array of `columns` values per row.
void check_finite(const std::vector<float>& values, std::size_t columns, const std::string& name,
                  const std::string& path);

}  // namespace ppu::model
