// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// How a subcommand gives up: one sentence for stderr and the exit status.
#pragma once

#include <stdexcept>
#include <string>

namespace ppu::sim {

enum ExitCode : int {
  kExitOk = 0,
  kExitMismatch = 1,     ///< A fault, or two things that should be equal are not.
  kExitUsage = 2,        ///< Usage or bad input.
  kExitEnvironment = 3,  ///< Something on this machine is missing or broke.
};

class CliError : public std::runtime_error {
 public:
  CliError(ExitCode code, const std::string& what) : std::runtime_error(what), exit_code(code) {}
  ExitCode exit_code;
};

}  // namespace ppu::sim
