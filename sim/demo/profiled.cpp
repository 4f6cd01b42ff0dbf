// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What `ppu profile` and the points of a study solve: a row problem, or the rows of a frame.
#include "sim/demo/profiled.hpp"

#include "sim/base/cli_error.hpp"
#include "sim/base/progress.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/demo/scene_problem.hpp"
#include "sim/problem/problem.hpp"

namespace ppu::sim {

Option add_profiled_options(Command command, Profiled& profiled) {
  add_problem_option(command, profiled.solve, true);
  command.get_option("problem").required(false);  // Or --scene.
  add_backend_option(command, profiled.solve);
  add_solve_options(command, profiled.solve);
  Option scene = add_scene_option(command, profiled.scene, "--scene");
  Option frame =
      add_frame_option(command, profiled.frame, "Frame whose rows are profiled").needs(scene);
  scene.needs(frame);
  add_seed_option(command, profiled.scene).needs(scene);
  return scene;
}

void check_profiled(const Profiled& profiled) {
  if (profiled.solve.problem.empty() == profiled.scene.name.empty())
    throw CliError(kExitUsage, "profile: expected either PROBLEM or --scene SCENE");
  if (profiled.solve.backend == "functional")
    throw CliError(kExitUsage,
                   "profile: back end 'functional' has no time, expected systemc, cosim or rtl");
}

model::RowProblem rows_of(Profiled* profiled) {
  if (profiled->scene.name.empty()) return load_problem(profiled->solve.problem);
  const Progress progress("simulates " + profiled->scene.name);
  model::RowProblem problem =
      scene_problem(profiled->scene.name, profiled->scene.seed, profiled->frame);
  profiled->solve.problem = problem.name;
  return problem;
}

}  // namespace ppu::sim
