// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// From the words of a command line to the command that it names.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "ppu/ppu.h"
#include "sim/base/cli_error.hpp"
#include "sim/commands/commands.hpp"
#include "sim/debug/debug_answer.hpp"

namespace ppu::sim {
namespace {

/// The first of `words` that is an option, or "".
std::string first_option(const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (word.size() > 1 && word.front() == '-') return word.substr(0, word.find('='));
  return {};
}

/// `solve: unknown option '--x'`, with the option of the command that it may stand for.
std::string about_option(const CLI::App& command, const std::string& option) {
  std::vector<std::string> names;
  for (const CLI::Option* known : command.get_options())
    for (const std::string& name : known->get_lnames()) names.push_back("--" + name);
  std::string path;
  for (const CLI::App* app = &command; app->get_parent() != nullptr; app = app->get_parent())
    path.insert(0, app->get_name() + ": ");
  return path + "unknown option '" + option + "'" + suggestion(option, names);
}

/// Said before anything else is: what comes behind such a word is of nothing that is known.
void refuse_unknown_options(const CLI::App& command, const std::vector<std::string>& words) {
  if (command.get_allow_extras()) return;  // Somebody else reads them.
  for (const std::string& word : words) {
    if (word == "--") return;
    const std::string option = word.substr(0, word.find('='));
    if (option.size() > 2 && option.compare(0, 2, "--") == 0 &&
        command.get_option_no_throw(option) == nullptr)
      throw CliError(kExitUsage, about_option(command, option));
  }
}

}  // namespace

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
              << "'; the old name works for the last time in this version\n";
  const CLI::App* command = find_command(app, words);
  const bool is_group = command != &app && !command->get_subcommands({}).empty();
  if (help || (is_group && words.size() == 1)) {
    const CLI::App* parent = command->get_parent();
    std::string path = parent != nullptr ? parent->get_name() : "";
    if (parent != nullptr && parent != &app) path = app.get_name() + " " + path;
    std::cout << command->help(path);
    return kExitOk;
  }
  refuse_unknown_options(*command, words);
  try {
    std::reverse(words.begin(), words.end());  // As CLI11 takes them.
    app.parse(words);
  } catch (const CLI::ExtrasError& error) {
    const std::string option = first_option(app.remaining(true));
    if (option.empty()) throw CliError(kExitUsage, error.what());
    throw CliError(kExitUsage, about_option(*command, option));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    throw CliError(kExitUsage, error.what());
  }
  return exit_code;
}

}  // namespace ppu::sim
