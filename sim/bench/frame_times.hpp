// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The time of a frame over different host links, beside the plain CPU solver.
#pragma once

#include <string>
#include <vector>

#include "model/problem/row_problem.hpp"
#include "sim/solve/options.hpp"

namespace ppu::sim {

/// Microseconds of one frame of a problem over one link, at the clock of the configuration. The
/// parts are what exceeds the frame of a single row; that one is the fixed part.
struct FrameTime {
  std::string problem;  ///< As given.
  std::string name;
  std::size_t rows = 0;
  std::string link;
  double upload = 0, sweeps = 0, store = 0, read_back = 0, fixed = 0;
  double cpu = 0;  ///< The plain CPU solver, the same sweeps.

  [[nodiscard]] double whole() const { return upload + sweeps + store + read_back + fixed; }
};

/// Runs one frame on the cycle model with the part `link` in place of the configuration's own.
FrameTime measure_frame(const model::RowProblem& problem, const Options& options,
                        const std::string& link);

/// Median microseconds of the plain CPU solver for `sweeps` sweeps.
double measure_cpu(const model::RowProblem& problem, std::uint32_t sweeps);

/// The frame from which on, by rows, all are faster than the CPU; null if the largest is not.
/// `frames` are of one link.
const FrameTime* cross_over(const std::vector<FrameTime>& frames);

}  // namespace ppu::sim
