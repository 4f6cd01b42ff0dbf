// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What `--help` looks like: a screen of at most 100 columns, with examples at its end.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace ppu::sim {

/// For `app` and all commands that are added to it from now on.
void use_help_format(CLI::App& app);

/// Command lines to try, each from `ppu` on. They stand at the end of the command's help; a test
/// parses every one of them.
void add_examples(CLI::App& command, const std::vector<std::string>& examples);
std::vector<std::string> examples_of(const CLI::App& command);

}  // namespace ppu::sim
