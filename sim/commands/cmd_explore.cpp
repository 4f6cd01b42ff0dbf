// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu explore`: hands its words to sim/explore, which is written in Python.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "base/process/child_process.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/commands/commands.hpp"

namespace ppu::sim {
namespace {

constexpr process::Helper kExplore{"explore/explore.py", "PPU_EXPLORE", "engine of studies"};

[[noreturn]] void become_explore(const std::vector<std::string>& words) {
  std::string script;
  try {
    script = process::find_helper(kExplore);
  } catch (const std::runtime_error& error) {
    throw CliError(kExitEnvironment, error.what());
  }
  const char* named = std::getenv("PPU_PYTHON");
  const std::string python = named != nullptr ? named : "python3";
  char self[4096] = {};
  if (readlink("/proc/self/exe", self, sizeof self - 1) > 0) setenv("PPU_COMMAND", self, 1);
  std::vector<std::string> all{python, "-B", script};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : all) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(python.c_str(), arguments.data());
  throw CliError(kExitEnvironment, "explore: there is no program '" + python +
                                       "', expected Python 3.9 or later (PPU_PYTHON names one)");
}

}  // namespace

void add_explore(CLI::App& app, int& /*exit_code*/) {
  CLI::App* command = app.add_subcommand("explore", "Measure all points of a study, and keep them");
  command->allow_extras();
  command->prefix_command();
  command->set_help_flag();
  add_examples(*command, {"ppu explore sim/explore/study.toml --check", "ppu explore --help"});
  command->callback([command] { become_explore(command->remaining()); });
}

}  // namespace ppu::sim
