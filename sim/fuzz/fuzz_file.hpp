// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Cases of the fuzz as files: the program as text, all numbers as their bits.
#pragma once

#include <string>

#include "sim/fuzz/fuzz_case.hpp"

namespace ppu::sim {

/// Files of a case in `folder`, which is made if it has to be: case.json has everything, program.s
/// is its program for `ppu asm` and `ppu dis`.
inline constexpr const char* kCaseFile = "case.json";
inline constexpr const char* kProgramFile = "program.s";
void save_case(const FuzzCase& fuzz, const std::string& folder);

/// Throws CliError (usage) for a file that is no case.
FuzzCase load_case(const std::string& path);

}  // namespace ppu::sim
