// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Files that travel inside the command.
#pragma once

#include <string_view>
#include <vector>

namespace ppu::sim {

/// tests/data/NAME.h5; empty if there is none.
std::string_view embedded_scene(std::string_view name);
/// cmake/packages.txt.
std::string_view embedded_packages();
/// sim/replay/page/NAME; empty if there is none.
std::string_view embedded_report_file(std::string_view name);
/// The scripts of sim/report in the order in which a page runs them.
std::vector<std::string_view> embedded_report_scripts();
/// three.js and its orbit controls, in that order.
std::vector<std::string_view> embedded_report_libraries();

}  // namespace ppu::sim
