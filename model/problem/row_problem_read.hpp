// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Reading with HDF5, inside the reader process.
#pragma once

#include "model/problem/row_problem.hpp"

namespace ppu::model {

/// An HDF5 file in memory; `name` stands for it in messages.
struct Image {
  const void* data;
  std::size_t size_bytes;
  std::string name;
};

/// Reads a problem, not validated yet. Throws RowProblemError.
RowProblem read_problem(const Image& image);

/// Reads an output file as a problem that has nothing but its solution. Throws RowProblemError.
RowProblem read_solution_only(const Image& image);

}  // namespace ppu::model
