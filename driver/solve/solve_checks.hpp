// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Whether a device and a program can do what a solve asks for.
#pragma once

#include "driver/device/device.hpp"
#include "driver/device/registry.hpp"
#include "ppu/ppu.h"

namespace ppu::driver {

/// Refuses what does not depend on the numbers of the problem. Throws Failure.
void check_solve(const Device& device, const Program& program, const ppu_problem& problem,
                 const ppu_solve_def& def);

}  // namespace ppu::driver
