// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Where the budget has cut a run, as far as the device's log does not say it.
#pragma once

#include "hw/stepping/stepping_engine.hpp"

namespace ppu::hw {

/// Finds the cut point with which the walk comes to the counters and the progress of `device`, and
/// leaves it in `observed`, that of `engine`, which is at the beginning before and after. False if
/// there is none.
bool find_cut_point(SteppingEngine& engine, ObservedRun& observed, const RunReport& device);

}  // namespace ppu::hw
