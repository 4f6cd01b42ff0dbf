// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Problems written as records.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "model/problem/row_problem.hpp"
#include "ppu/ppu.hpp"

namespace ppu::driver::test {

inline ppu_row record_of(const model::RowProblem& problem, std::size_t row) {
  ppu_row record{};
  std::memcpy(record.jacobian, &problem.jacobian[12 * row], sizeof record.jacobian);
  std::memcpy(record.inv_mass_jacobian, &problem.inv_mass_jacobian[12 * row],
              sizeof record.inv_mass_jacobian);
  const bool has_parent = problem.parent[row] >= 0;
  record.bias = problem.rate_bias[row];
  record.inv_diagonal = problem.inv_diagonal[row];
  record.lower = has_parent ? 0 : problem.lower[row];
  record.upper = has_parent ? problem.friction[row] : problem.upper[row];
  record.compliance = problem.compliance[row];
  record.body_a = static_cast<std::uint32_t>(problem.body[row][0]);
  record.body_b = static_cast<std::uint32_t>(problem.body[row][1]);
  record.parent = static_cast<std::uint32_t>(problem.parent[row]);
  return record;
}

/// Begins the problem, and writes velocities and impulses.
inline ppu_record_memory begin_records(const Records& records, const model::RowProblem& problem) {
  const auto rows = static_cast<std::uint32_t>(problem.rows());
  const auto bodies = static_cast<std::uint32_t>(problem.bodies());
  const ppu_record_memory memory = records.begin(rows, bodies);
  for (std::uint32_t body = 0; body < bodies; ++body)
    std::memcpy(memory.velocities + body, &problem.velocity_change[6 * body], 6 * sizeof(float));
  for (std::uint32_t row = 0; row < rows; ++row) memory.impulses[row] = problem.impulse[row];
  return memory;
}

/// Writes the rows and commits them in blocks; `pause` is called in front of each.
template <class Pause>
void write_rows(const Records& records, const model::RowProblem& problem,
                const ppu_record_memory& memory, Pause pause) {
  const auto rows = static_cast<std::uint32_t>(problem.rows());
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (row % 16 == 0) pause(row);
    memory.rows[row] = record_of(problem, row);
    if (row % 16 == 15) records.commit(row + 1);
  }
  records.commit(rows);
}
inline void write_rows(const Records& records, const model::RowProblem& problem,
                       const ppu_record_memory& memory) {
  write_rows(records, problem, memory, [](std::uint32_t) {});
}

inline std::uint64_t hash_of(const ppu_record_memory& memory, const model::RowProblem& problem) {
  std::vector<float> velocities(6 * problem.bodies());
  for (std::size_t body = 0; body < problem.bodies(); ++body)
    std::memcpy(&velocities[6 * body], memory.velocities + body, 6 * sizeof(float));
  return ppu_state_hash(memory.impulses, problem.rows(), velocities.data(), problem.bodies());
}

}  // namespace ppu::driver::test
