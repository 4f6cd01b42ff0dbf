// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Problems the model tests share: the shipped files, and small scenes made here whose solution is
// known in closed form.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "model/files/row_problem_file.hpp"
#include "tests/support/test_data.hpp"

namespace ppu::model::testing {

inline constexpr const char* kShipped[] = {
    "ball_f110",    "topple_f060",     "wall10_f012",    "wall10_f040",
    "ragdoll_f140", "ragdollcfm_f070", "wall10cfm_f030", "massratio_f040",
};

inline std::string path_of(const std::string& name) {
  return tests::test_data(name + ".h5");
}

inline RowProblem shipped(const std::string& name) {
  return read_row_problem(path_of(name));
}

/// A problem of `bodies` point masses without rows; add_row() fills it.
inline RowProblem empty_problem(const std::vector<float>& inv_masses) {
  RowProblem p;
  p.name = "made";
  p.inv_mass = inv_masses;
  p.inv_inertia.assign(9 * inv_masses.size(), 0.0F);
  for (std::size_t i = 0; i < inv_masses.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) p.inv_inertia[9 * i + 4 * k] = 1.0F;
  }
  p.velocity_change.assign(6 * inv_masses.size(), 0.0F);
  return p;
}

struct RowSpec {
  std::int32_t a = -1, b = -1;
  std::array<float, 12> jacobian{};
  float bias = 0, lower = 0, upper = 1e10F;
  std::int32_t parent = -1;
  float friction = 0;
  RowKind kind = RowKind::kContact;
};

/// Adds a row: M^-1 J^T and d = 1/a_ii from the masses, no compliance, no impulse yet.
inline void add_row(RowProblem& p, const RowSpec& row) {
  float diagonal = 0;
  for (std::size_t k = 0; k < 12; ++k) {
    const std::int32_t body = k < 6 ? row.a : row.b;
    const bool linear = k % 6 < 3;
    const float inverse =
        body < 0 ? 0.0F : (linear ? p.inv_mass[static_cast<std::size_t>(body)] : 1.0F);
    p.jacobian.push_back(body < 0 ? 0.0F : row.jacobian[k]);
    p.inv_mass_jacobian.push_back(inverse * row.jacobian[k]);
    diagonal += inverse * row.jacobian[k] * row.jacobian[k];
  }
  p.body.push_back({row.a, row.b});
  p.kind.push_back(row.kind);
  p.parent.push_back(row.parent);
  p.rate_bias.push_back(row.bias);
  p.inv_diagonal.push_back(1.0F / diagonal);
  p.lower.push_back(row.lower);
  p.upper.push_back(row.upper);
  p.friction.push_back(row.friction);
  p.compliance.push_back(0.0F);
  p.impulse.push_back(0.0F);
}

/// Unit normal along y: +1 on body a, -1 on body b.
inline std::array<float, 12> along_y() {
  return {0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0};
}
/// Unit tangent along x.
inline std::array<float, 12> along_x() {
  return {1, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0};
}

}  // namespace ppu::model::testing
