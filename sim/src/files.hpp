// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Whole files in.
#pragma once

#include <string>

namespace ppu::sim {

/// Throws CliError (usage) if there is no such file.
void check_exists(const std::string& path);

/// Throws CliError (usage) if the file cannot be read.
std::string read_file(const std::string& path);

}  // namespace ppu::sim
