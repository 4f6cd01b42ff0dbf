// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// From what the driver says of a solve to a frame of a replay.
#pragma once

#include <vector>

#include "model/problem/row_problem.hpp"
#include "sim/replay/replay_data.hpp"
#include "sim/solve/options.hpp"
#include "sim/solve/solver.hpp"

namespace ppu::sim {

/// Fills in the device and its configuration, from any run on it.
void describe_device(const Options& options, const SolveResult& result, ReplayReport* report);

/// What is known of the rows. `scene_body` is the body of the scene for each body of the problem.
FrameDetail detail_of(const model::RowProblem& problem, const Options& options,
                      const SolveResult& result, const std::vector<std::int32_t>& scene_body);

/// A frame of `bodies` bodies in which the device solved `problem`: all but its number, the poses
/// and the seconds of the CPU.
ReplayFrame frame_of(const model::RowProblem& problem, const Options& options,
                     const SolveResult& result, const FrameDetail& detail,
                     const std::vector<std::int32_t>& scene_body, std::size_t bodies);

/// True residual after 0, 1, ... `sweeps` sweeps, each run again from the start on the functional
/// back end, which has the same bits.
std::vector<double> residuals_of(const model::RowProblem& problem, const Options& options,
                                 std::uint32_t sweeps);

/// What bounds all frames of a timed report together and which change would move it, one sentence.
std::string bound_of(const ReplayReport& report);

}  // namespace ppu::sim
