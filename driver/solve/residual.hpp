// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The true residual of a state, on the host.
#pragma once

#include "ppu/ppu.h"

namespace ppu::driver {

/// The largest row_residual() at the impulses and velocity changes, whatever form b and cfm are in.
double true_residual(const ppu_problem& problem, const float* impulse,
                     const float* velocity_change);

}  // namespace ppu::driver
