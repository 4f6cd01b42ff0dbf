// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu record SCENE`: the rows of one frame of a scene as the CPU engine meets them, with the
// engine's own answer, as a row problem.
#include <iostream>
#include <memory>

#include "model/files/row_problem_file.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/base/progress.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/publish.hpp"
#include "sim/commands/commands.hpp"
#include "sim/demo/scene_options.hpp"
#include "sim/demo/scene_problem.hpp"
#include "sim/problem/problem.hpp"

namespace ppu::sim {
namespace {

struct RecordOptions {
  SceneOptions scene;
  std::uint32_t frame = 0;
  std::string out;
};

void record(const RecordOptions& options) {
  check_apart({}, {{"--out", options.out}});
  files::check_replaceable(options.out);
  const model::RowProblem problem = [&options] {
    const Progress progress("simulates " + options.scene.name);
    return scene_problem(options.scene.name, options.scene.seed, options.frame);
  }();
  model::write_row_problem(problem, options.out);
  const std::size_t islands = island_rows(problem).size();
  std::cout << problem.name << ": " << grouped(problem.rows()) << " rows on "
            << grouped(problem.bodies()) << " bodies in " << grouped(islands)
            << (islands == 1 ? " island, " : " islands, ") << problem.params
            << "\nReference: " << problem.engine << ", " << problem.reference->sweeps
            << " iterations\nWritten: " << options.out << "\n";
}

}  // namespace

void add_record(CLI::App& app, int& /*exit_code*/) {
  auto options = std::make_shared<RecordOptions>();
  Command command =
      add_command(app, "record", "Write the rows of a frame of a scene as a row problem");
  add_scene_option(command, options->scene).required();
  add_seed_option(command, options->scene);
  add_frame_option(command, options->frame, "Frame to record").required();
  command.add_option("--out", options->out, "File to write").is_path("OUT.h5").required();
  add_examples(command, {"ppu record ball --frame 110 --out ball.h5",
                         "ppu record wall32 --frame 20 --seed 2 --out wall.h5"});
  command.callback([options] { record(*options); });
}

}  // namespace ppu::sim
