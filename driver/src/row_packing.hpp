// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row records as the device reads them: in slot order, parents named by slot and bodies by their
// numbers on the device.
#pragma once

#include "mass_scaling.hpp"
#include "plan.hpp"
#include "ppu/ppu.h"

namespace ppu::driver {

/// Writes the records of the run's rows to `rows`. With `impulse_form` b and cfm are scaled as
/// Bullet stores them, -(b*d) and cfm*d, in float32.
void pack_rows(const ppu_problem& problem, const Plan& plan, const RunPlan& run, bool impulse_form,
               ppu_row* rows);

/// Writes the blocks of the run's rows, of the rate form, in the reduced form; of the last one no
/// more than is requested.
void pack_reduced_rows(const ppu_problem& problem, const Plan& plan, const RunPlan& run,
                       const MassScaling& scaling, ppu_reduced_block* blocks);

}  // namespace ppu::driver
