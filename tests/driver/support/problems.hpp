// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row problems for the driver's tests: files of tests/data, and small ones made here.
#pragma once

#include <cstdint>
#include <string>

#include "driver/plan/row_graph.hpp"
#include "model/problem/row_problem.hpp"
#include "ppu/ppu.h"

namespace ppu::driver::test {

/// The problem as the C API takes it; valid as long as `problem` is.
ppu_problem view(const model::RowProblem& problem);

model::RowProblem read_test_data(const std::string& file);

/// A column of `count` unit masses along y: row i pushes bodies i - 1 and i apart (row 0 stands on
/// the static world) so that each stops falling at 1 m/s.
model::RowProblem column(std::uint32_t count);

/// `count` such columns of `height` masses side by side, which have nothing to do with each other;
/// column c falls at 1 + c m/s.
model::RowProblem columns(std::uint32_t count, std::uint32_t height);

/// A graph with random bodies, static ones among them, and friction rows after their parents.
RowGraph random_graph(std::uint32_t seed, std::size_t rows, std::size_t bodies);

}  // namespace ppu::driver::test
