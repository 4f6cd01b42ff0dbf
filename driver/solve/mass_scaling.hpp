// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The reduced form of a problem, US 7,079,145 (26)-(31): J^ = J M^-1/2 stands for J and for M^-1
// J^T, and v^ = M^1/2 v for v. M is block diagonal: the mass of a body, and its inertia in the
// world frame.
#pragma once

#include <array>
#include <vector>

#include "ppu/ppu.h"

namespace ppu::driver {

class MassScaling {
 public:
  using Vector = std::array<float, 6>;  ///< Linear, angular.

  /// Throws Failure: masses are missing (PPU_ERROR_INVALID_ARGUMENT), or not finite, negative or
  /// not those of inv_mass_jacobian, or a body has a velocity at a start from it along which it
  /// cannot move, beyond rounding (PPU_ERROR_PROBLEM).
  MassScaling(const ppu_problem& problem, ppu_start start);

  /// J M^-1/2 of the half of a row that belongs to `body`.
  [[nodiscard]] Vector scale_jacobian(std::size_t body, const float* jacobian) const;
  /// M^1/2 v; 0 along what cannot move.
  [[nodiscard]] Vector to_reduced(std::size_t body, const float* velocity) const;
  /// M^-1/2 v^.
  [[nodiscard]] Vector from_reduced(std::size_t body, const float* reduced) const;

 private:
  using Matrix = std::array<double, 9>;  ///< 3 x 3, symmetric.
  struct Body {
    double linear = 0;          ///< M^-1/2 of the mass,
    Matrix angular{};           ///< and of the inertia.
    double inverse_linear = 0;  ///< M^1/2; 0 where M^-1/2 is 0.
    Matrix inverse_angular{};
  };
  [[nodiscard]] static Body body_of(const float* inv_mass, const float* inv_inertia);
  void check_start(std::size_t body, const float* velocity) const;
  void check_rows(const ppu_problem& problem) const;

  std::vector<Body> bodies_;
};

}  // namespace ppu::driver
