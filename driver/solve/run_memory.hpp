// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Rows, impulses and velocities of one planned run as the device has them: written before it, read
// after it, wherever they lie.
#pragma once

#include <cstdint>

#include "driver/plan/plan.hpp"
#include "driver/solve/mass_scaling.hpp"
#include "driver/solve/row_packing.hpp"
#include "ppu/ppu.h"

namespace ppu::driver {

/// Bytes of the run's records.
std::uint64_t row_bytes(const RunPlan& run, bool reduced);

/// Writes the run's records to `rows`, in the reduced form with `scaling` (else null).
void pack_run_rows(const ppu_problem& problem, const Plan& plan, const RunPlan& run,
                   const RowScale& scale, const MassScaling* scaling, void* rows);

/// Writes what a warm start begins with; numbers that no body has keep what they hold.
void pack_run_start(const ppu_problem& problem, const RunPlan& run, const MassScaling* scaling,
                    float* impulses, ppu_velocity* velocities);

/// Takes what a run has left into the arrays of the problem.
void unpack_run(const RunPlan& run, const MassScaling* scaling, const float* impulses,
                const ppu_velocity* velocities, float* impulse, float* velocity_change);

}  // namespace ppu::driver
