// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Residual and coupling of a state, for float and double states.
#include "model/reference/residual.hpp"

#include <algorithm>
#include <cmath>

#include "model/arithmetic/row_residual.hpp"
#include "model/reference/state.hpp"

namespace ppu::model {

template <class Scalar>
std::vector<double> row_residuals(const RowProblem& problem, const std::vector<Scalar>& impulse,
                                  const std::vector<Scalar>& velocity) {
  std::vector<double> residuals(problem.rows());
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    residuals[i] = row_residual(problem, impulse, i, rate_of(problem, impulse, velocity, i));
  }
  return residuals;
}

template <class Scalar>
double true_residual(const RowProblem& problem, const std::vector<Scalar>& impulse,
                     const std::vector<Scalar>& velocity) {
  const std::vector<double> residuals = row_residuals(problem, impulse, velocity);
  return residuals.empty() ? 0 : *std::max_element(residuals.begin(), residuals.end());
}

template <class Scalar>
std::vector<double> coupled_velocity(const RowProblem& problem,
                                     const std::vector<Scalar>& impulse) {
  std::vector<double> velocity(6 * problem.bodies());
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    add_impulse(problem, i, static_cast<double>(impulse[i]), velocity);
  }
  return velocity;
}

template <class Scalar>
double coupling_error(const RowProblem& problem, const std::vector<Scalar>& impulse,
                      const std::vector<Scalar>& velocity) {
  const auto coupled = coupled_velocity(problem, impulse);
  double largest = 0;
  for (std::size_t k = 0; k < coupled.size(); ++k) {
    const double error = std::fabs(static_cast<double>(velocity[k]) - coupled[k]);
    // What is no number stays.
    if (std::isnan(error) || error > largest) largest = error;
  }
  return largest;
}

#define PPU_INSTANTIATE(Scalar)                                                                 \
  template std::vector<double> row_residuals(const RowProblem&, const std::vector<Scalar>&,     \
                                             const std::vector<Scalar>&);                       \
  template double true_residual(const RowProblem&, const std::vector<Scalar>&,                  \
                                const std::vector<Scalar>&);                                    \
  template std::vector<double> coupled_velocity(const RowProblem&, const std::vector<Scalar>&); \
  template double coupling_error(const RowProblem&, const std::vector<Scalar>&,                 \
                                 const std::vector<Scalar>&);
PPU_INSTANTIATE(float)
PPU_INSTANTIATE(double)
#undef PPU_INSTANTIATE

}  // namespace ppu::model
