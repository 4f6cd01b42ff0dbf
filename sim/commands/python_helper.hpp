// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What of `ppu` is written in Python: sim/explore.
#pragma once

#include <string>
#include <vector>

namespace ppu::sim {

/// Becomes sim/explore/explore.py with these words. Throws CliError (environment) if there is no
/// Python or no such script.
[[noreturn]] void become_explore(const std::vector<std::string>& words);
/// Runs it and waits. Throws CliError (environment) if there is none, or with what it has said, if
/// it has failed.
void run_explore(const std::vector<std::string>& words);

}  // namespace ppu::sim
