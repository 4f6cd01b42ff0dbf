// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Packing of row records.
#include "driver/solve/row_packing.hpp"

#include <algorithm>
#include <cstring>

namespace ppu::driver {
namespace {

ppu_row pack_row(const ppu_problem& problem, const Plan& plan, std::uint32_t row,
                 const RowScale& scale) {
  const bool has_parent = problem.parent[row] >= 0;
  const float d = problem.inv_diagonal[row] * scale.relaxation;
  const Softness soft = softness_of(problem.rate_bias[row], problem.compliance[row], d, scale);
  ppu_row record{};
  std::memcpy(record.jacobian, problem.jacobian + row * kRowElements, sizeof record.jacobian);
  std::memcpy(record.inv_mass_jacobian, problem.inv_mass_jacobian + row * kRowElements,
              sizeof record.inv_mass_jacobian);
  record.bias = soft.bias;
  record.inv_diagonal = d;
  record.lower = has_parent ? 0.0F : problem.lower[row];
  record.upper = has_parent ? problem.friction[row] : problem.upper[row];
  record.compliance = soft.compliance;
  record.body_a = planned(plan.device_body, problem.body[row][0]);
  record.body_b = planned(plan.device_body, problem.body[row][1]);
  record.parent = planned(plan.slot, problem.parent[row]);
  return record;
}

}  // namespace

void pack_rows(const ppu_problem& problem, const Plan& plan, const RunPlan& run,
               const RowScale& scale, ppu_row* rows) {
  for (const std::uint32_t row : run.order) {
    const ppu_row record = pack_row(problem, plan, row, scale);
    std::memcpy(rows++, &record, sizeof record);
  }
}

void pack_reduced_rows(const ppu_problem& problem, const Plan& plan, const RunPlan& run,
                       const RowScale& scale, const MassScaling& scaling,
                       ppu_reduced_block* blocks) {
  constexpr std::size_t kHalf = 6;
  for (std::size_t slot = 0; slot < run.order.size(); ++slot) {
    const std::uint32_t row = run.order[slot];
    const ppu_row record = pack_row(problem, plan, row, scale);
    ppu_reduced_block& block = blocks[slot / PPU_REDUCED_BLOCK_ROWS];
    block.tail[slot % PPU_REDUCED_BLOCK_ROWS] = {record.compliance, record.body_a, record.body_b,
                                                 record.parent};
    ppu_reduced_head head{{}, record.bias, record.inv_diagonal, record.lower, record.upper};
    for (std::size_t half = 0; half < 2; ++half) {
      const std::int32_t body = problem.body[row][half];
      if (body < 0) continue;
      const MassScaling::Vector scaled =
          scaling.scale_jacobian(static_cast<std::size_t>(body), record.jacobian + half * kHalf);
      std::copy(scaled.begin(), scaled.end(), head.jacobian + half * kHalf);
    }
    block.head[slot % PPU_REDUCED_BLOCK_ROWS] = head;
  }
}

}  // namespace ppu::driver
