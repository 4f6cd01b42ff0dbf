// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Solves by other methods than sweeps alone: their work on the host, their sweeps by the solver
// helper of a device.
#pragma once

#include <cstddef>

#include "driver/solve/solver.hpp"
#include "ppu/methods.h"

namespace ppu::driver {

/// Null past the last one.
const char* method_name(std::size_t index);

/// Whether the method sweeps on a device.
bool uses_device(ppu_method method);

/// Where the sweeps run. Both are null for methods that have none.
struct SweepDevice {
  Solver* solver = nullptr;
  const Program* program = nullptr;
};

/// ppu_method_solve() with checked pointers, `velocity_change` and `report` may be null. Throws
/// Failure.
void solve_by_method(const SweepDevice& device, const ppu_problem& problem,
                     const ppu_method_def& def, double* impulse, double* velocity_change,
                     ppu_method_report* report);

}  // namespace ppu::driver
