// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The `ppu` command: parses the command line, runs one subcommand, turns errors into one sentence
// on stderr and an exit status (0 ok, 1 mismatch or fault, 2 usage or bad input, 3 environment).
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "firmware/assembler/assembler.hpp"
#include "hw/contract/config.hpp"
#include "model/problem/row_problem.hpp"
#include "ppu/ppu.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/publish.hpp"
#include "sim/commands/commands.hpp"
#include "sim/solve/solver.hpp"

namespace {

using namespace ppu;

int complain(const std::string& what, int exit_code) {
  std::cout.flush();
  std::cerr << "ppu: " << what << std::endl;
  return exit_code;
}

int run(std::vector<std::string> words) {
  int exit_code = sim::kExitOk;
  CLI::App app(
      "ppu: solve the constraint rows of rigid-body scenes on a simulated physics "
      "processing unit",
      "ppu");
  app.set_version_flag("--version", ppu_version());
  sim::add_commands(app, exit_code);
  // `ppu help COMMAND` is `ppu COMMAND --help`.
  const bool help = words.empty() || words.front() == "help";
  if (help && !words.empty()) words.erase(words.begin());
  if (sim::rename_old_command(app, &words))
    std::cerr << "ppu: 'ppu " << words[1] << "' is now 'ppu study " << words[1]
              << "', its old name ends with this version\n";
  const CLI::App* command = sim::find_command(app, words);
  const bool is_group = command != &app && !command->get_subcommands({}).empty();
  if (help || (is_group && words.size() == 1)) {
    const CLI::App* parent = command->get_parent();
    std::string path = parent != nullptr ? parent->get_name() : "";
    if (parent != nullptr && parent != &app) path = app.get_name() + " " + path;
    std::cout << command->help(path);
    return sim::kExitOk;
  }
  try {
    std::reverse(words.begin(), words.end());  // As CLI11 takes them.
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    return complain(error.what(), sim::kExitUsage);
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int exit_code = run({argv + 1, argv + argc});
    ppu::sim::flush_stdout();
    return exit_code;
  } catch (const ppu::sim::CliError& error) {
    return complain(error.what(), error.exit_code);
  } catch (const ppu::sim::FailedSolve& error) {
    return complain(ppu::sim::explained(error), ppu::sim::exit_code_of(error.result));
  } catch (const ppu::Error& error) {
    return complain(error.what(), ppu::sim::exit_code_of(error.result));
  } catch (const ppu::firmware::AssemblyError& error) {
    // Already in the form of a compiler's messages.
    std::cerr << error.what();
    return ppu::sim::kExitUsage;
  } catch (const ppu::firmware::ImageError& error) {
    return complain(error.what(), ppu::sim::kExitUsage);
  } catch (const ppu::hw::ConfigError& error) {
    return complain(error.what(), ppu::sim::kExitUsage);
  } catch (const ppu::model::RowProblemError& error) {
    return complain(error.what(), ppu::sim::kExitUsage);
  } catch (const std::exception& error) {
    return complain(error.what(), ppu::sim::kExitEnvironment);
  }
}
