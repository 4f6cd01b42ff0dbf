// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A replay for tests: boxes that fall onto each other, stepped here and solved by a device.
#pragma once

#include <string>

#include "sim/replay/replay_data.hpp"

namespace ppu::sim {

/// Five boxes of 1 kg above a floor, the top one sliding, and a sphere that only turns; solved on
/// `backend`. Every third frame, from frame 2 on, has no rows of its own; from frame 20 on the CPU
/// engine's path is another one (invented: 1 cm further along x in each frame).
ReplayReport falling_stack(const std::string& backend, std::uint32_t frames);

}  // namespace ppu::sim
