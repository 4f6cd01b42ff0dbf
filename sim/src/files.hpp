// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Whole files in and out; an output appears complete or not at all.
#pragma once

#include <string>

namespace ppu::sim {

/// Throws CliError (usage) if the file cannot be read.
std::string read_file(const std::string& path);

/// Writes a temporary beside `path` and renames it over `path`. Throws CliError (environment).
void write_file(const std::string& path, const std::string& content);

}  // namespace ppu::sim
