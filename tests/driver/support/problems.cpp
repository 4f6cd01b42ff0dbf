// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row problems for the driver's tests.
#include "tests/driver/support/problems.hpp"

#include <algorithm>
#include <random>

#include "model/files/row_problem_file.hpp"
#include "tests/support/test_data.hpp"

namespace ppu::driver::test {

ppu_problem view(const model::RowProblem& problem) {
  ppu_problem result{};
  result.row_count = static_cast<std::uint32_t>(problem.rows());
  result.body_count = static_cast<std::uint32_t>(problem.bodies());
  result.body = reinterpret_cast<const std::int32_t(*)[2]>(problem.body.data());
  result.parent = problem.parent.data();
  result.jacobian = problem.jacobian.data();
  result.inv_mass_jacobian = problem.inv_mass_jacobian.data();
  result.rate_bias = problem.rate_bias.data();
  result.inv_diagonal = problem.inv_diagonal.data();
  result.lower = problem.lower.data();
  result.upper = problem.upper.data();
  result.friction = problem.friction.data();
  result.compliance = problem.compliance.data();
  result.impulse = problem.impulse.data();
  result.velocity_change = problem.velocity_change.data();
  if (!problem.inv_mass.empty()) result.inv_mass = problem.inv_mass.data();
  if (!problem.inv_inertia.empty()) result.inv_inertia = problem.inv_inertia.data();
  return result;
}

model::RowProblem read_test_data(const std::string& file) {
  return model::read_row_problem(tests::test_data(file));
}

model::RowProblem column(std::uint32_t count) {
  return columns(1, count);
}

model::RowProblem columns(std::uint32_t count, std::uint32_t height) {
  model::RowProblem problem;
  const std::size_t rows = std::size_t{count} * height;
  problem.jacobian.assign(rows * 12, 0.0F);
  for (std::uint32_t row = 0; row < rows; ++row) {
    const bool lowest = row % height == 0;
    const auto above = static_cast<std::int32_t>(row);
    problem.body.push_back({lowest ? -1 : above - 1, above});
    if (!lowest) problem.jacobian[row * 12 + 1] = -1.0F;
    problem.jacobian[row * 12 + 7] = 1.0F;
    problem.inv_diagonal.push_back(lowest ? 1.0F : 0.5F);
    // The bodies fall together: only the lowest row sees an approach.
    const auto speed = static_cast<float>(1 + row / height);
    problem.rate_bias.push_back(lowest ? -speed : 0.0F);
  }
  problem.inv_mass_jacobian = problem.jacobian;
  problem.kind.assign(rows, model::RowKind::kContact);
  problem.parent.assign(rows, -1);
  problem.lower.assign(rows, 0.0F);
  problem.upper.assign(rows, 1e10F);
  problem.friction.assign(rows, 0.0F);
  problem.compliance.assign(rows, 0.0F);
  problem.impulse.assign(rows, 0.0F);
  problem.velocity_change.assign(rows * 6, 0.0F);
  return problem;
}

RowGraph random_graph(std::uint32_t seed, std::size_t rows, std::size_t bodies) {
  std::mt19937 random(seed);
  const auto pick = [&random](std::size_t count) {
    return static_cast<std::int32_t>(random() % count);
  };
  RowGraph graph;
  graph.body_count = bodies;
  std::vector<std::int32_t> normals;
  for (std::size_t row = 0; row < rows; ++row) {
    const bool friction = !normals.empty() && random() % 3 == 0;
    const std::int32_t parent =
        friction ? normals[static_cast<std::size_t>(pick(normals.size()))] : -1;
    Bodies pair{pick(bodies + 1) - 1, pick(bodies + 1) - 1};
    if (pair[0] == pair[1]) pair[1] = -1;
    // Most friction rows act on their parent's bodies, as in engines; some do not.
    if (friction && random() % 4 != 0) pair = graph.body[static_cast<std::size_t>(parent)];
    if (!friction) normals.push_back(static_cast<std::int32_t>(row));
    graph.body.push_back(pair);
    graph.parent.push_back(parent);
  }
  return graph;
}

}  // namespace ppu::driver::test
