// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// From the words of a command line to the command that it names.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "ppu/ppu.h"
#include "sim/base/cli_error.hpp"
#include "sim/commands/commands.hpp"

namespace ppu::sim {

int run_command(std::vector<std::string> words) {
  int exit_code = kExitOk;
  CLI::App app(
      "ppu: solve the constraint rows of rigid-body scenes on a simulated physics "
      "processing unit",
      "ppu");
  app.set_version_flag("--version", ppu_version());
  add_commands(app, exit_code);
  // `ppu help COMMAND` is `ppu COMMAND --help`.
  const bool help = words.empty() || words.front() == "help";
  if (help && !words.empty()) words.erase(words.begin());
  if (rename_old_command(app, &words))
    std::cerr << "ppu: 'ppu " << words[1] << "' is now 'ppu study " << words[1]
              << "', its old name ends with this version\n";
  const CLI::App* command = find_command(app, words);
  const bool is_group = command != &app && !command->get_subcommands({}).empty();
  if (help || (is_group && words.size() == 1)) {
    const CLI::App* parent = command->get_parent();
    std::string path = parent != nullptr ? parent->get_name() : "";
    if (parent != nullptr && parent != &app) path = app.get_name() + " " + path;
    std::cout << command->help(path);
    return kExitOk;
  }
  try {
    std::reverse(words.begin(), words.end());  // As CLI11 takes them.
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    throw CliError(kExitUsage, error.what());
  }
  return exit_code;
}

}  // namespace ppu::sim
