// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The solver helper: one problem from rows to impulses on a device.
#pragma once

#include <optional>
#include <vector>

#include "driver/device/device.hpp"
#include "driver/device/registry.hpp"
#include "driver/plan/plan.hpp"
#include "driver/solve/mass_scaling.hpp"
#include "driver/solve/row_packing.hpp"
#include "ppu/ppu.h"

namespace ppu::driver {

/// What is decided before a solve: its runs, with all of their commands but the addresses.
struct SolveSetup {
  Plan plan;
  double schedule_seconds = 0;  ///< Host time that it took.
  RowScale scale;
  std::optional<MassScaling> scaling;  ///< Of a program on reduced rows.
  std::vector<hw::RunCommand> commands;
};

/// Throws Failure where solve() refuses its arguments.
SolveSetup set_up(Device& device, const Program& program, const ppu_problem& problem,
                  const ppu_solve_def& def);

/// ppu_solve() with checked pointers. Throws Failure; writes `report` (may be null) also where the
/// run ends with a fault.
void solve(Device& device, const Program& program, const ppu_problem& problem,
           const ppu_solve_def& def, float* impulse, float* velocity_change,
           ppu_solve_report* report);

}  // namespace ppu::driver
