// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The `ppu` command: parses the command line, runs one subcommand, turns errors into one sentence
// on stderr and an exit status (0 ok, 1 mismatch or fault, 2 usage or bad input, 3 environment).
#include <algorithm>
#include <iostream>

#include "firmware/assembler/assembler.hpp"
#include "hw/contract/config.hpp"
#include "model/problem/row_problem.hpp"
#include "ppu/ppu.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/publish.hpp"
#include "sim/commands/commands.hpp"
#include "sim/solve/run.hpp"

namespace {

using namespace ppu;

int complain(const std::string& what, int exit_code) {
  std::cout.flush();
  std::cerr << "ppu: " << what << std::endl;
  return exit_code;
}

std::vector<std::string> subcommand_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

int run(int argc, char** argv) {
  int exit_code = sim::kExitOk;
  CLI::App app(
      "ppu: solve the constraint rows of rigid-body scenes on a simulated physics "
      "processing unit",
      "ppu");
  app.set_version_flag("--version", ppu_version());
  app.require_subcommand(1);
  for (auto* add : {sim::add_demo,     sim::add_cosim,    sim::add_solve,      sim::add_profile,
                    sim::add_scaling,  sim::add_frame,    sim::add_bench,      sim::add_asm,
                    sim::add_dis,      sim::add_info,     sim::add_doctor,     sim::add_counters,
                    sim::add_diff,     sim::add_trace,    sim::add_diff_trace, sim::add_parity,
                    sim::add_programs, sim::add_converge, sim::add_savings,    sim::add_fuzz,
                    sim::add_debug,    sim::add_blocks,   sim::add_scenes,     sim::add_record}) {
    add(app, exit_code);
  }
  // `ppu help COMMAND` is `ppu COMMAND --help`.
  const bool help = argc > 1 && argv[1] == std::string("help");
  const std::string command = argc > 1 + help ? argv[1 + help] : "";
  const std::vector<std::string> names = subcommand_names(app);
  if (!command.empty() && command.front() != '-' &&
      std::find(names.begin(), names.end(), command) == names.end()) {
    return complain("unknown command '" + command + "', expected one of " + sim::joined(names),
                    sim::kExitUsage);
  }
  if (argc < 2 || help) {
    const bool whole = command.empty() || command.front() == '-';
    std::cout << (whole ? app.help() : app.get_subcommand(command)->help("ppu"));
    return sim::kExitOk;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    return complain(error.what(), sim::kExitUsage);
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int exit_code = run(argc, argv);
    ppu::sim::flush_stdout();
    return exit_code;
  } catch (const ppu::sim::CliError& error) {
    return complain(error.what(), error.exit_code);
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
