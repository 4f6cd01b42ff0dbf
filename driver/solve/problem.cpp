// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Checks of a row problem.
#include "driver/solve/problem.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "driver/base/failure.hpp"

namespace ppu::driver {
namespace {

/// Refuses a missing array, unless it has no elements.
void require_array(const void* array, const char* name, std::size_t count) {
  if (array == nullptr && count > 0)
    fail(PPU_ERROR_INVALID_ARGUMENT, "problem->", name, " is null, expected ", count, " rows");
}

/// x - x is 0 for a finite x, else none. Without a way out the loop takes several numbers at once.
bool all_finite(const float* array, std::size_t count) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const float zero = array[i] - array[i];
    std::uint32_t these;
    std::memcpy(&these, &zero, sizeof these);
    bits |= these;
  }
  return bits == 0;
}

void check_bodies(const ppu_problem& problem, std::uint32_t row) {
  const auto body_count = static_cast<std::int64_t>(problem.body_count);
  const std::int32_t a = problem.body[row][0];
  const std::int32_t b = problem.body[row][1];
  for (const std::int32_t body : {a, b})
    if (body < -1 || body >= body_count)
      fail(PPU_ERROR_PROBLEM, "row ", row, ": body names body ", body, ", expected -1 to ",
           body_count - 1);
  if (a == b && a >= 0)
    fail(PPU_ERROR_PROBLEM, "row ", row, ": body names body ", a,
         " twice, expected two different bodies");
}

void check_parent(const ppu_problem& problem, std::uint32_t row) {
  const std::int32_t parent = problem.parent[row];
  if (parent < -1 || parent >= static_cast<std::int64_t>(row))
    fail(PPU_ERROR_PROBLEM, "row ", row, ": parent is ", parent, ", expected an earlier row or -1");
  if (parent >= 0 && problem.parent[parent] >= 0 && !problem.impulse_form)
    fail(PPU_ERROR_PROBLEM, "row ", row, ": parent is row ", parent,
         ", which has a parent itself, expected a row without one, or problem->impulse_form");
}

void check_bounds(const ppu_problem& problem, std::uint32_t row) {
  if (problem.parent[row] >= 0) {
    const float mu = problem.friction[row];
    if (!std::isfinite(mu) || mu < 0)
      fail(PPU_ERROR_PROBLEM, "row ", row, ": friction is ", mu, ", expected a finite number >= 0");
    return;
  }
  const float lower = problem.lower[row];
  const float upper = problem.upper[row];
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  // Written so that a NaN is refused too.
  if (!(lower <= upper && lower < kInfinity && upper > -kInfinity))
    fail(PPU_ERROR_PROBLEM, "row ", row, ": lower is ", lower, " and upper ", upper,
         ", expected lower <= upper (-inf and inf where there is no bound)");
}

}  // namespace

RowGraph graph_of(const ppu_problem& problem) {
  require_array(problem.body, "body", problem.row_count);
  require_array(problem.parent, "parent", problem.row_count);
  RowGraph graph;
  graph.body_count = problem.body_count;
  graph.body.reserve(problem.row_count);
  for (std::uint32_t row = 0; row < problem.row_count; ++row) {
    check_bodies(problem, row);
    check_parent(problem, row);
    graph.body.push_back({problem.body[row][0], problem.body[row][1]});
  }
  graph.parent.assign(problem.parent, problem.parent + problem.row_count);
  return graph;
}

void check_finite(const float* array, const char* name, const char* item, std::size_t count,
                  std::size_t width) {
  require_array(array, name, count);
  if (all_finite(array, count * width)) return;
  for (std::size_t i = 0; i < count * width; ++i)
    if (!std::isfinite(array[i]))
      fail(PPU_ERROR_PROBLEM, item, " ", i / width, ": ", name, " has ", array[i], " at column ",
           i % width, ", expected a finite number");
}

void check_numbers(const ppu_problem& problem, ppu_start start) {
  const std::size_t rows = problem.row_count;
  check_finite(problem.jacobian, "jacobian", "row", rows, 12);
  check_finite(problem.inv_mass_jacobian, "inv_mass_jacobian", "row", rows, 12);
  check_finite(problem.rate_bias, "rate_bias", "row", rows, 1);
  check_finite(problem.inv_diagonal, "inv_diagonal", "row", rows, 1);
  check_finite(problem.compliance, "compliance", "row", rows, 1);
  require_array(problem.lower, "lower", rows);
  require_array(problem.upper, "upper", rows);
  require_array(problem.friction, "friction", rows);
  for (std::uint32_t row = 0; row < rows; ++row) check_bounds(problem, row);
  if (start == PPU_START_COLD) return;
  check_finite(problem.impulse, "impulse", "row", rows, 1);
  check_finite(problem.velocity_change, "velocity_change", "body", problem.body_count, 6);
}

}  // namespace ppu::driver
