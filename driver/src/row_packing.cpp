// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Packing of row records.
#include "row_packing.hpp"

#include <cstring>
#include <vector>

namespace ppu::driver {
namespace {

/// What the plan calls the row or body `index`, if there is one.
std::uint32_t planned(const std::vector<std::uint32_t>& names, std::int32_t index) {
  return index < 0 ? PPU_NONE : names[static_cast<std::size_t>(index)];
}

ppu_row pack_row(const ppu_problem& problem, const Plan& plan, std::uint32_t row,
                 bool impulse_form) {
  constexpr std::size_t kElements = sizeof(ppu_row::jacobian) / sizeof(float);
  const bool has_parent = problem.parent[row] >= 0;
  const float d = problem.inv_diagonal[row];
  ppu_row record{};
  std::memcpy(record.jacobian, problem.jacobian + row * kElements, sizeof record.jacobian);
  std::memcpy(record.inv_mass_jacobian, problem.inv_mass_jacobian + row * kElements,
              sizeof record.inv_mass_jacobian);
  record.bias = impulse_form ? -(problem.rate_bias[row] * d) : problem.rate_bias[row];
  record.inv_diagonal = d;
  record.lower = has_parent ? 0.0F : problem.lower[row];
  record.upper = has_parent ? problem.friction[row] : problem.upper[row];
  record.compliance = impulse_form ? problem.compliance[row] * d : problem.compliance[row];
  record.body_a = planned(plan.device_body, problem.body[row][0]);
  record.body_b = planned(plan.device_body, problem.body[row][1]);
  record.parent = planned(plan.slot, problem.parent[row]);
  return record;
}

}  // namespace

void pack_rows(const ppu_problem& problem, const Plan& plan, const RunPlan& run, bool impulse_form,
               ppu_row* rows) {
  for (const std::uint32_t row : run.order) {
    const ppu_row record = pack_row(problem, plan, row, impulse_form);
    std::memcpy(rows++, &record, sizeof record);
  }
}

}  // namespace ppu::driver
