// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The true residual of a state, on the host.
#pragma once

#include "ppu/ppu.h"

namespace ppu::driver {

/// Largest violation over all rows of the boxing conditions at impulses x and velocity changes v:
/// with u = b + J v + cfm x in double precision, 0 where lo = hi, max(0, -u) at lo, max(0, u) at
/// hi, else |u|; infinite where u is not a number. Friction bounds are those of the parent's
/// impulse, rounded as the device rounds them.
double true_residual(const ppu_problem& problem, const float* impulse,
                     const float* velocity_change);

}  // namespace ppu::driver
