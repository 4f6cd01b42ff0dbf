// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The solver helper: one problem from rows to impulses on a device.
#pragma once

#include "device.hpp"
#include "ppu/ppu.h"
#include "registry.hpp"

namespace ppu::driver {

/// ppu_solve() with checked pointers. Throws Failure; writes `report` (may be null) also where the
/// run ends with a fault.
void solve(Device& device, const Program& program, const ppu_problem& problem,
           const ppu_solve_def& def, float* impulse, float* velocity_change,
           ppu_solve_report* report);

}  // namespace ppu::driver
