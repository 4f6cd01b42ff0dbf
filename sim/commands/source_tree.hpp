// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The source tree of this `ppu`, where there is one.
#pragma once

#include <string>

namespace ppu::sim {

/// That which the environment names (PPU_SOURCE), else that of the build tree in which this program
/// is. Empty if there is none, as where a package was installed.
std::string named_source_tree();
/// Whether there are sources in it.
bool is_source_tree(const std::string& folder);

}  // namespace ppu::sim
