// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Copies of row problems.
#include "driver/method/method_problem.hpp"

#include <cstddef>

#include "driver/base/failure.hpp"
#include "driver/solve/problem.hpp"

namespace ppu::driver {
namespace {

std::vector<float> copied(const float* numbers, std::size_t count) {
  return {numbers, numbers + count};
}

void require_masses(const void* array, const char* name) {
  if (array == nullptr)
    fail(PPU_ERROR_INVALID_ARGUMENT, "problem->", name, " is null, expected those of the bodies");
}

}  // namespace

model::RowProblem row_problem_of(const ppu_problem& given, ppu_start start) {
  if (given.impulse_form)
    fail(PPU_ERROR_INVALID_ARGUMENT,
         "problem->impulse_form is true, expected rate_bias and compliance of the rate form");
  require_masses(given.inv_mass, "inv_mass");
  require_masses(given.inv_inertia, "inv_inertia");
  static_cast<void>(graph_of(given));  // Checks bodies and parents.
  check_numbers(given, start);
  const std::size_t m = given.row_count, n = given.body_count;
  model::RowProblem rows;
  for (std::size_t i = 0; i < m; ++i) {
    rows.body.push_back({given.body[i][0], given.body[i][1]});
    rows.kind.push_back(given.parent[i] < 0 ? model::RowKind::kContact : model::RowKind::kFriction);
  }
  rows.parent.assign(given.parent, given.parent + m);
  rows.jacobian = copied(given.jacobian, 12 * m);
  rows.inv_mass_jacobian = copied(given.inv_mass_jacobian, 12 * m);
  rows.rate_bias = copied(given.rate_bias, m);
  rows.inv_diagonal = copied(given.inv_diagonal, m);
  rows.lower = copied(given.lower, m);
  rows.upper = copied(given.upper, m);
  rows.friction = copied(given.friction, m);
  rows.compliance = copied(given.compliance, m);
  const bool is_warm = start == PPU_START_WARM;
  rows.impulse = is_warm ? copied(given.impulse, m) : std::vector<float>(m);
  rows.velocity_change = is_warm ? copied(given.velocity_change, 6 * n) : std::vector<float>(6 * n);
  rows.inv_mass = copied(given.inv_mass, n);
  rows.inv_inertia = copied(given.inv_inertia, 9 * n);
  return rows;
}

ppu_problem view_of(const model::RowProblem& rows) {
  ppu_problem problem{};
  problem.row_count = static_cast<std::uint32_t>(rows.rows());
  problem.body_count = static_cast<std::uint32_t>(rows.bodies());
  problem.body = reinterpret_cast<const std::int32_t(*)[2]>(rows.body.data());
  problem.parent = rows.parent.data();
  problem.jacobian = rows.jacobian.data();
  problem.inv_mass_jacobian = rows.inv_mass_jacobian.data();
  problem.rate_bias = rows.rate_bias.data();
  problem.inv_diagonal = rows.inv_diagonal.data();
  problem.lower = rows.lower.data();
  problem.upper = rows.upper.data();
  problem.friction = rows.friction.data();
  problem.compliance = rows.compliance.data();
  problem.impulse = rows.impulse.data();
  problem.velocity_change = rows.velocity_change.data();
  problem.inv_mass = rows.inv_mass.data();
  problem.inv_inertia = rows.inv_inertia.data();
  return problem;
}

}  // namespace ppu::driver
