// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Boxed problems the tests of model/methods share.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/methods/scaled_rows.hpp"
#include "model/reference/reference.hpp"
#include "tests/model/problems.hpp"

namespace ppu::model::methods::testing {

using model::testing::add_row;
using model::testing::along_x;
using model::testing::along_y;
using model::testing::empty_problem;
using model::testing::kShipped;
using model::testing::shipped;

/// A shipped problem with its friction frozen at the engine's answer.
inline RowProblem frozen(const char* name) {
  const RowProblem problem = shipped(name);
  return freeze_friction(problem, problem.reference->impulse);
}

/// Two boxes of 2 kg and 1 kg on each other, that gravity would give 1 m/s: impulses 3 and 1 N s.
inline RowProblem two_boxes() {
  RowProblem p = empty_problem({0.5F, 1.0F});
  add_row(p, {0, -1, along_y(), -1.0F});
  add_row(p, {1, 0, along_y(), 0.0F});
  return p;
}

/// A mass of 1 kg with rows along y: u = x + bias each, on a body of its own.
inline void add_single(RowProblem& p, float bias, float lower, float upper) {
  const auto body = static_cast<std::int32_t>(p.bodies());
  p.velocity_change.resize(p.velocity_change.size() + 6);
  p.inv_mass.push_back(1);
  for (int k = 0; k < 9; ++k) p.inv_inertia.push_back(k % 4 == 0 ? 1.0F : 0.0F);
  add_row(p, {body, -1, along_y(), bias, lower, upper});
}

/// One row of every kind, and what solves it:
/// free, at a lower bound, off it, at an upper bound, within a box, at its upper end, fixed.
inline RowProblem every_kind() {
  RowProblem p = empty_problem({});
  add_single(p, 3, -3e38F, 3e38F);
  add_single(p, 2, 0, 1e10F);
  add_single(p, -2, 0, 1e10F);
  add_single(p, -7, -3e38F, 5);
  add_single(p, 0.5F, -1, 1);
  add_single(p, -4, -1, 1);
  add_single(p, -4, 0.25F, 0.25F);
  return p;
}
inline std::vector<double> every_kind_solved() {
  return {-3, 0, 2, 5, -0.5, 1, 0.25};
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    largest = std::max(largest, std::fabs(a[k] - b[k]));
  }
  return largest;
}

}  // namespace ppu::model::methods::testing
