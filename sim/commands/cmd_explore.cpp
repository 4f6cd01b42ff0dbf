// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu explore`: hands its words to sim/explore, which is written in Python.
#include <CLI/CLI.hpp>

#include "sim/cli/help_format.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/python_helper.hpp"

namespace ppu::sim {
void add_explore(CLI::App& app, int& /*exit_code*/) {
  CLI::App* command = app.add_subcommand("explore", "Measure all points of a study, and keep them");
  command->allow_extras();
  command->prefix_command();
  command->set_help_flag();
  add_examples(*command, {"ppu explore sim/explore/study.toml --check", "ppu explore --help"});
  command->callback([command] { become_explore(command->remaining()); });
}

}  // namespace ppu::sim
