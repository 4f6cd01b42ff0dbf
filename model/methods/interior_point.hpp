// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The primal-dual interior point method of Ferris, Wathen and Armand, "Limited memory solution of
// bound constrained convex quadratic problems arising in video games", RAIRO 41 (2007) 19-34.
//
// Rows with lo = hi are constants. The others are shifted, and turned round where only hi is
// finite (p. 20), to B: 0 <= x <= u, L: 0 <= x, F: free. With multipliers s of x >= 0 and xi of
// x <= u, and H, q the shifted A, b:
//
//     g     = H x + q - s + xi                                                            p. 20
//     mu    = (x_B's_B + x_L's_L + (u - x_B)'xi) / (|L| + 2 |B|)                          p. 21
//     theta = s/x + xi/(u - x),   (H + theta) dx = -(H x + q - sigma mu (1/x - 1/(u - x)))   (1)
//     ds = (sigma mu - s dx)/x - s,   dxi = (sigma mu + xi dx)/(u - x) - xi
//
// Primal and dual take a step each, 0.9995 of the way to the boundary and at most 1. sigma starts
// at 0.1; after an iteration with a step below 0.1 it is 0.3, else half way back to 0.1 (p. 21
// prints max{sigma, (0.1 + sigma)/2}, which would stay at 0.3 for ever). Start: x = 1 on L, u/2 on
// B, 0 on F; s = 0.1 + max(0, H x + q) on B, max(0.1, H x + q) on L, xi = s - (H x + q) (p. 21).
// End: mu <= 1e-8 and |g| <= (1 + |q|) 1e-6, Euclidean (p. 22). x in N s, s and xi in m/s.
//
// The paper's problems have at most some 400 rows and take at most 22 iterations. To keep that on
// 24,192 rows the default direction is corrected: Mehrotra's predictor gives sigma and a term of
// second order, Gondzio's corrections lengthen the steps (Wright, "Primal-dual interior-point
// methods", SIAM 1997, chapter 10; Gondzio, Comput. Optim. Appl. 6 (1996) 137-156). They cost
// solves with a factor that is there, no factors.
#pragma once

#include <cstddef>
#include <vector>

#include "model/methods/row_system.hpp"
#include "model/methods/scaled_rows.hpp"

namespace ppu::model::methods {

enum class Direction {
  kPaper,     ///< As above.
  kCorrected  ///< Mehrotra's predictor and corrector, Gondzio's corrections of centrality.
};

struct InteriorPointOptions {
  SystemOptions system;
  Direction direction = Direction::kCorrected;
  int centrality_corrections = 6;  ///< At most, for each factor.
  int max_iterations = 100;
  double mu_tolerance = 1e-8;
  double gradient_tolerance = 1e-6;  ///< Times 1 + |q|.
  double centering = 0.1;            ///< sigma.
  double low_step_centering = 0.3;   ///< sigma after a step below low_step.
  double low_step = 0.1;
  double boundary_fraction = 0.9995;
  double least_shift = 1e-8;  ///< D + theta is at least this in the dual form: section 2.4, p. 26.
};

struct InteriorPointIteration {
  double mu, gradient, sigma, primal_step, dual_step;
};

struct InteriorPointSolution {
  std::vector<double> impulse;  ///< m, N s; a row whose multiplier is above its slack is put to the
                                ///< bound.
  Residual residual;
  bool reached = false;  ///< The paper's end.
  std::vector<InteriorPointIteration> iterations;
  Form form = Form::kPrimal;
  std::size_t matrix_size = 0;      ///< Rows of the matrix that was factored.
  std::size_t factor_nonzeros = 0;  ///< Largest, in doubles: "Nnz" of Table 4.
  std::size_t gradient_steps = 0;   ///< "CG Iter" of Table 4; 0 with an exact factor.
};

/// Doubles of the exact factor in this form and ordering, without computing it: Table 4.
std::size_t predicted_factor_nonzeros(const ScaledRows& rows, Form form, Ordering ordering);

/// Throws MethodFailure where a matrix or a step is no number, as of a problem without a solution;
/// others of those end at max_iterations, not reached.
InteriorPointSolution solve_interior_point(const ScaledRows& rows,
                                           const InteriorPointOptions& options);

}  // namespace ppu::model::methods
