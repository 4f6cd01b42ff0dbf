// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// FCLIB problems as rows and as matrices, and back. The cone of a contact becomes a pyramid: its
// normal row has `directions` friction rows as children, along the angles pi k / directions of the
// tangent plane, each bounded by mu tan(pi / (2 directions)) times the normal's impulse. Together
// they fill a polygon of 2 directions corners around the circle of radius mu r_N. Two directions
// are what engines have; a problem in two dimensions has one.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/fclib/fclib_problem.hpp"
#include "model/methods/explicit_matrix.hpp"

namespace ppu::model::fclib {

/// Two-body rows of a global problem, one contact after the other; its solution, if it has one and
/// there are two directions, comes along. Throws RowProblemError for another number of dimensions
/// than 3, where a contact has more than two bodies or none, and where the mass of a body is not
/// one number and an inertia.
RowProblem rows_of(const Problem& global, std::size_t directions);

/// A of the same rows, in double precision, with J and J_M where the problem has bodies.
methods::ExplicitProblem explicit_of(const Problem& problem, std::size_t directions);

/// r of the impulses of those rows.
std::vector<double> contact_impulses(const Problem& problem, std::size_t directions,
                                     const std::vector<double>& x);

/// The global problem of rows that are all contacts with two friction rows. Throws RowProblemError
/// for rows of joints, for compliance, contacts of another kind, two contacts that share a friction
/// row, missing masses, and bodies without one.
Problem global_of(const RowProblem& rows);

}  // namespace ppu::model::fclib
