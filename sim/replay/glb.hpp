// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A replay as a binary glTF 2.0 file: a node per body, its path as an animation.
#pragma once

#include <string>

#include "sim/replay/replay_data.hpp"

namespace ppu::sim {

/// The whole file. Bodies that stay where they are have no animation.
std::string glb_of(const ReplayReport& report);

}  // namespace ppu::sim
