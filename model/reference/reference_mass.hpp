// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The inverse mass matrix of a body, as the solvers that form it themselves take it.
#pragma once

#include <Eigen/Dense>
#include <cstddef>

#include "model/problem/row_problem.hpp"

namespace ppu::model {

/// M^-1 of one body: mass on the linear part, the symmetric half of the inertia on the angular.
inline Eigen::Matrix<double, 6, 6> inverse_mass(const RowProblem& problem, std::size_t body) {
  Eigen::Matrix<double, 6, 6> inverse = Eigen::Matrix<double, 6, 6>::Zero();
  inverse.topLeftCorner<3, 3>().diagonal().setConstant(static_cast<double>(problem.inv_mass[body]));
  const Eigen::Map<const Eigen::Matrix3f> stored(&problem.inv_inertia[9 * body]);
  const Eigen::Matrix3d inertia = stored.cast<double>();
  inverse.bottomRightCorner<3, 3>() = 0.5 * (inertia + inertia.transpose());
  return inverse;
}

}  // namespace ppu::model
