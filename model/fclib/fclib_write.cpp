// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// FCLIB files, with matrices as triplets.
#include "model/fclib/fclib_problem.hpp"
#include "model/files/hdf5_writer.hpp"

namespace ppu::model::fclib {
namespace {

using hdf5::Handle;
using hdf5::Writer;

void write_number(const Writer& writer, const Handle& group, const char* name,
                  std::int32_t number) {
  writer.array(group, name, hdf5::int32(), {1}, &number);
}

void write_vector(const Writer& writer, const Handle& group, const char* name,
                  const std::vector<double>& values) {
  writer.array(group, name, hdf5::float64(), {values.size()}, values.data());
}

void write_matrix(const Writer& writer, const Handle& parent, const char* name,
                  const Matrix& matrix) {
  const Handle group = writer.group(parent, name);
  std::vector<std::int32_t> row, column;
  std::vector<double> value;
  for (const Entry& entry : matrix.entry) {
    row.push_back(entry.row);
    column.push_back(entry.column);
    value.push_back(entry.value);
  }
  const auto count = static_cast<std::int32_t>(value.size());
  write_number(writer, group, "nzmax", count);
  write_number(writer, group, "nz", count);
  write_number(writer, group, "m", matrix.rows);
  write_number(writer, group, "n", matrix.columns);
  writer.array(group, "p", hdf5::int32(), {column.size()}, column.data());
  writer.array(group, "i", hdf5::int32(), {row.size()}, row.data());
  write_vector(writer, group, "x", value);
}

}  // namespace

std::vector<char> image(const Problem& problem, const std::string& name) {
  check(problem);
  return hdf5::file_image(name, [&](const Writer& writer, const Handle& root) {
    const Handle group = writer.group(root, problem.is_global ? "fclib_global" : "fclib_local");
    write_number(writer, group, "spacedim", problem.dimension);
    const Handle vectors = writer.group(group, "vectors");
    if (problem.is_global) {
      write_matrix(writer, group, "M", problem.m);
      write_matrix(writer, group, "H", problem.h);
      write_vector(writer, vectors, "f", problem.force);
      write_vector(writer, vectors, "w", problem.offset);
    } else {
      write_matrix(writer, group, "W", problem.w);
      write_vector(writer, vectors, "q", problem.offset);
    }
    write_vector(writer, vectors, "mu", problem.friction);
    if (!problem.solution.empty())
      write_vector(writer, writer.group(root, "solution"), "r", problem.solution);
  });
}

}  // namespace ppu::model::fclib
