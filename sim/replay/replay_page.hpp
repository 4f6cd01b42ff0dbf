// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The report of a scene: one HTML file with a replay and everything else inside.
#pragma once

#include <string>

#include "sim/replay/replay_data.hpp"

namespace ppu::sim {

/// The files of sim/report and three.js around the replay, which takes at most `budget_bytes`.
std::string replay_page(const ReplayReport& report, std::size_t budget_bytes = kReplayBytes);

}  // namespace ppu::sim
