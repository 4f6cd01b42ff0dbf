// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Command lines that repeat a run, to be pasted into a shell.
#pragma once

#include <string>

#include "sim/solve/solver.hpp"

namespace ppu::sim {

/// `text` as one word of a shell: in quotes if it has to be.
std::string shell_word(const std::string& text);

/// The command line that repeats a run: subcommand, problem and every option that is not at its
/// default.
std::string command_line(const std::string& subcommand, const Options& options);

/// What went wrong, and of a difference in lockstep the command that repeats the run with waves
/// around its cycle.
std::string explained(const FailedSolve& error);

}  // namespace ppu::sim
