// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The `ppu-rows` version 1 HDF5 files that row problems are read from and written to.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/problem/row_problem.hpp"

namespace ppu::model {

/// Reads and validates `path`. HDF5 runs in a process of its own, `ppu-read-problem`, as it crashes
/// on some damaged files; that it dies, uses too much memory or processor time, or takes longer
/// than PPU_READ_SECONDS of the environment (60), is a refusal. Threads may read side by side.
/// Throws RowProblemError, and std::runtime_error where the reader cannot be started.
RowProblem read_row_problem(const std::string& path);

/// Reads a file image from memory; `name` stands for the file in messages. Throws RowProblemError.
RowProblem read_row_problem(const void* image, std::size_t size_bytes, const std::string& name);

/// The bytes of a file with every array that is present; `name` stands for the file in messages.
/// Validates first. Throws RowProblemError.
std::vector<char> row_problem_image(const RowProblem& problem, const std::string& name);

/// Writes that image, complete or not at all. Throws RowProblemError for the problem and
/// std::system_error for a place that cannot be written, see file_replacement.hpp.
void write_row_problem(const RowProblem& problem, const std::string& path);

/// Reads only `/solution` and what is needed to compare two outputs. Throws RowProblemError.
Solution read_solution(const std::string& path);

}  // namespace ppu::model
