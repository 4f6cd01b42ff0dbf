// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What `ppu profile` and the points of a study solve: a row problem, or the rows of a frame.
#pragma once

#include <cstdint>

#include "model/problem/row_problem.hpp"
#include "sim/cli/command.hpp"
#include "sim/demo/scene_options.hpp"
#include "sim/solve/options.hpp"

namespace ppu::sim {

struct Profiled {
  Options solve;
  SceneOptions scene;  ///< No name: there is a problem.
  std::uint32_t frame = 0;
};

/// PROBLEM, --scene, --frame, --seed, --backend and the options of a solve. Gives --scene.
Option add_profiled_options(Command command, Profiled& profiled);
/// Throws CliError (usage) where there is not exactly one of problem and scene, or no time.
void check_profiled(const Profiled& profiled);
/// The rows, from the file or from the scene; `profiled` then has their name.
model::RowProblem rows_of(Profiled* profiled);

}  // namespace ppu::sim
