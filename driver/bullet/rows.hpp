// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The rows of a group as BulletRows has them.
#pragma once

#include "driver/bullet/visits.hpp"
#include "ppu/bullet.h"

namespace ppu::bullet {

/// After set-up and before the first iteration.
BulletRows rows_of(const Pools& pools, const btContactSolverInfo& info);

}  // namespace ppu::bullet
