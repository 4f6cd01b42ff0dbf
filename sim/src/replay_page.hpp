// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The report of a scene: one HTML file with a replay and everything else inside.
#pragma once

#include <string>

#include "replay_data.hpp"

namespace ppu::sim {

/// The files of sim/report and three.js around the replay.
std::string replay_page(const ReplayReport& report);

}  // namespace ppu::sim
