// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// How far impulses are from a solution.
#include "sim/measure/impulse_residual.hpp"

#include "model/reference/reference.hpp"
#include "model/reference/residual.hpp"

namespace ppu::sim {

double residual_of_impulses(const model::RowProblem& problem, const std::vector<float>& impulse) {
  const std::vector<double> exact = model::coupled_velocity(problem, impulse);
  const std::vector<float> velocity(exact.begin(), exact.end());
  return model::true_residual(problem, impulse, velocity);
}

}  // namespace ppu::sim
