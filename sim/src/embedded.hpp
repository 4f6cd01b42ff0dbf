// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Files that travel inside the command.
#pragma once

#include <string_view>

namespace ppu::sim {

/// sim/data/wall10.h5.
std::string_view embedded_wall10();
/// cmake/packages.txt.
std::string_view embedded_packages();

}  // namespace ppu::sim
