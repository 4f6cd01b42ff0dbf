// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The `ppu` command: runs what the command line says, turns errors into one sentence on stderr and
// an exit status (0 ok, 1 mismatch or fault, 2 usage or bad input, 3 environment).
#include <csignal>
#include <iostream>
#include <new>

#include "firmware/assembler/assembler.hpp"
#include "hw/contract/config.hpp"
#include "model/problem/row_problem.hpp"
#include "ppu/ppu.hpp"
#include "sim/base/cli_error.hpp"
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

}  // namespace

int main(int argc, char** argv) {
  // A file that grows beyond its limit is an error of writing.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    const int exit_code = ppu::sim::run_command({argv + 1, argv + argc});
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
  } catch (const std::bad_alloc&) {
    return complain("the host is out of memory", ppu::sim::kExitEnvironment);
  } catch (const std::exception& error) {
    return complain(error.what(), ppu::sim::kExitEnvironment);
  }
}
