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
  std::size_t memory_bytes;  ///< That reading it may take.
};

/// Refuses to take `bytes` of memory for what `place` says, if `most` is less: before they are
/// taken.
void check_claim(const std::string& file, const std::string& place, std::size_t bytes,
                 std::size_t most);

/// Reads a problem, not validated yet. Throws RowProblemError.
RowProblem read_problem(const Image& image);

/// Reads an output file as a problem that has nothing but its solution. Throws RowProblemError.
RowProblem read_solution_only(const Image& image);

}  // namespace ppu::model
