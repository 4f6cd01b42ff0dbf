// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Files that travel inside the command.
#pragma once

#include <string_view>

namespace ppu::sim {

/// tests/data/NAME.h5; empty if there is none.
std::string_view embedded_scene(std::string_view name);
/// cmake/packages.txt.
std::string_view embedded_packages();

}  // namespace ppu::sim
