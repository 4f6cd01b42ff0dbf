// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What Bullet can be asked for and the PPU does not do. All throw BulletUnsupported.
#pragma once

#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>

#include "driver/bullet/visits.hpp"

namespace ppu::bullet {

/// Joints with iterations in code of their own, and a stopping threshold that is infinite.
void refuse_settings(btTypedConstraint* const* constraints, int count,
                     const btContactSolverInfo& info);
/// Arithmetic of the CPU other than IEEE 754's usual one, in which Bullet would have other bits.
void refuse_arithmetic();
/// Bodies of the rows with factors of motion between or beyond 0 and 1.
void refuse_factors(const Pools& pools);
/// A row of a contact without effective mass, with which Bullet loses the residuals before it.
[[noreturn]] void refuse_forgotten(std::uint32_t row);
/// `scalar` says whether the solver's rows are Bullet's scalar reference.
void refuse_row_solvers(bool scalar);

}  // namespace ppu::bullet
