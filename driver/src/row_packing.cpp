// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Packing of row records.
#include "row_packing.hpp"

#include <cstring>

namespace ppu::driver {
namespace {

std::uint32_t index_or_none(std::int32_t index) {
  return index < 0 ? PPU_NONE : static_cast<std::uint32_t>(index);
}

ppu_row pack_row(const ppu_problem& problem, std::uint32_t row, bool impulse_form) {
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
  record.body_a = index_or_none(problem.body[row][0]);
  record.body_b = index_or_none(problem.body[row][1]);
  return record;
}

}  // namespace

void pack_rows(const ppu_problem& problem, const RowOrder& row_of_slot, bool impulse_form,
               ppu_row* rows) {
  std::vector<std::uint32_t> slot_of_row(row_of_slot.size());
  for (std::uint32_t slot = 0; slot < row_of_slot.size(); ++slot)
    slot_of_row[row_of_slot[slot]] = slot;
  for (std::size_t slot = 0; slot < row_of_slot.size(); ++slot) {
    const std::uint32_t row = row_of_slot[slot];
    ppu_row record = pack_row(problem, row, impulse_form);
    const std::int32_t parent = problem.parent[row];
    record.parent = parent < 0 ? PPU_NONE : slot_of_row[static_cast<std::size_t>(parent)];
    std::memcpy(rows + slot, &record, sizeof record);
  }
}

}  // namespace ppu::driver
