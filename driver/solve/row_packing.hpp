// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row records as the device reads them: in slot order, parents named by slot and bodies by their
// numbers on the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "driver/plan/plan.hpp"
#include "driver/solve/mass_scaling.hpp"
#include "ppu/ppu.h"

namespace ppu::driver {

/// How the numbers of a row are scaled, in float32.
struct RowScale {
  float relaxation = 1;       ///< d is multiplied by it;
  bool impulse_form = false;  ///< then b and cfm as Bullet stores them: -(b*d) and cfm*d.
  bool given = false;         ///< b and cfm come so: they are multiplied by the relaxation only.
};

/// b and cfm as the program wants them.
struct Softness {
  float bias, compliance;
};
/// `d` has its relaxation.
inline Softness softness_of(float b, float cfm, float d, const RowScale& scale) {
  if (scale.given) return {b * scale.relaxation, cfm * scale.relaxation};
  if (scale.impulse_form) return {-(b * d), cfm * d};
  return {b, cfm};
}

/// Of J, and of M^-1 J^T, in a row.
inline constexpr std::size_t kRowElements = sizeof(ppu_row::jacobian) / sizeof(float);

/// What the plan calls the row or body `index`, if there is one.
inline std::uint32_t planned(const std::vector<std::uint32_t>& names, std::int32_t index) {
  return index < 0 ? PPU_NONE : names[static_cast<std::size_t>(index)];
}

/// Writes the records of the run's rows to `rows`.
void pack_rows(const ppu_problem& problem, const Plan& plan, const RunPlan& run,
               const RowScale& scale, ppu_row* rows);

/// Writes the blocks of the run's rows in the reduced form; of the last one no more than is
/// requested.
void pack_reduced_rows(const ppu_problem& problem, const Plan& plan, const RunPlan& run,
                       const RowScale& scale, const MassScaling& scaling,
                       ppu_reduced_block* blocks);

}  // namespace ppu::driver
