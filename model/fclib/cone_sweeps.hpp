// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Projected Gauss-Seidel with the cones themselves in place of pyramids: nonsmooth Gauss-Seidel, V.
// Acary and B. Brogliato, "Numerical methods for nonsmooth dynamical systems" (2008), section
// 13.7.4. A sweep solves for the impulse r of each contact with the others held,
//
//     u = W_cc r + (q_c + sum over other contacts W_ck r_k)
//
// which leaves (u_N >= 0, r = 0), sticks (u = 0, r in its cone), or slides; then the fixed point of
// r = P_K(r - rho (u + mu |u_T| n)), rho = 1 / the largest eigenvalue of W_cc, is gone for in
// steps.
#pragma once

#include <vector>

#include "model/fclib/fclib_problem.hpp"

namespace ppu::model::fclib {

struct ConeOptions {
  int max_sweeps = 100000;
  double tolerance = 1e-4;  ///< Of natural_error().
  int steps = 100;          ///< At most, of one contact that slides, in one sweep.
};

struct ConeSolution {
  std::vector<double> r;
  double error = 0;  ///< natural_error().
  int sweeps = 0;
  bool reached = false;
};

/// From zero, of a local problem; localized() makes one. Throws RowProblemError where the block of
/// a contact is not positive definite.
ConeSolution solve_cones(const Problem& local, const ConeOptions& options);

}  // namespace ppu::model::fclib
