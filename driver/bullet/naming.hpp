// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Bodies, joints and rows as the one who made them knows them.
#pragma once

#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>

#include <string>

#include "driver/bullet/visits.hpp"

namespace ppu::bullet {

/// `body 3 of the world (user index 7, user pointer 0x5581)`.
std::string name_of(const btSolverBody& body);
/// `joint 0x5581 (type 3, user id -1) of body ... and body ...`.
std::string name_of(const btTypedConstraint& joint);
/// The joint of a row, or its contact by the two bodies.
std::string name_of(const Pools& pools, const btSolverConstraint& row, bool is_joint);

}  // namespace ppu::bullet
