// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Files that travel inside the command.
#pragma once

#include <string_view>

namespace ppu::sim {

/// tests/data/wall10_f012.h5.
std::string_view embedded_wall10();
/// cmake/packages.txt.
std::string_view embedded_packages();

}  // namespace ppu::sim
