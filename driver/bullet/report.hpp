// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// From the driver's report of a solve to the plug-in's.
#pragma once

#include "ppu/bullet.h"

namespace ppu::bullet {

/// What a solve adds to a report.
BulletReport report_of(const ppu_solve_report& solved);

}  // namespace ppu::bullet
