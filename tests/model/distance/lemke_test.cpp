// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Lemke's method on problems that can be solved by hand, and on those that have no solution.
#include "model/distance/lemke.hpp"

#include <gtest/gtest.h>

namespace ppu::model::distance {
namespace {

using State = LemkeTableau::State;

LemkeTableau tableau(const std::vector<std::vector<double>>& m, const std::vector<double>& q) {
  LemkeTableau made;
  made.reset(q.size());
  for (std::size_t i = 0; i < q.size(); ++i) {
    made.constant(i) = q[i];
    for (std::size_t k = 0; k < q.size(); ++k) made.coefficient(i, k) = m[i][k];
  }
  return made;
}

TEST(Lemke, SolvesTwoCoupledUnknowns) {
  // 2 z0 + z1 = 4, z0 + 2 z1 = 5.
  LemkeTableau made = tableau({{2, 1}, {1, 2}}, {-4, -5});
  ASSERT_EQ(made.solve(), State::kSolved);
  EXPECT_NEAR(made.z(0), 1, 1e-14);
  EXPECT_NEAR(made.z(1), 2, 1e-14);
}

TEST(Lemke, LeavesAVariableAtZeroWhoseSlackIsPositive) {
  LemkeTableau made = tableau({{2, 1}, {1, 2}}, {-4, 5});
  ASSERT_EQ(made.solve(), State::kSolved);
  EXPECT_NEAR(made.z(0), 2, 1e-14);
  EXPECT_EQ(made.z(1), 0);
}

TEST(Lemke, NeedsNoPivotWhereNothingIsNegative) {
  LemkeTableau made = tableau({{1, 0}, {0, 1}}, {0, 3});
  EXPECT_EQ(made.solve(), State::kSolved);
  EXPECT_EQ(made.pivots(), 0U);
  EXPECT_EQ(made.z(1), 0);
}

TEST(Lemke, FindsARayWhereThereIsNoSolution) {
  // -z0 + 1 >= 0 and z0 - 2 >= 0, of a linear program; M is positive semidefinite.
  LemkeTableau made = tableau({{0, 1, -1}, {-1, 0, 0}, {1, 0, 0}}, {0, 1, -2});
  EXPECT_EQ(made.solve(), State::kRay);
}

TEST(Lemke, EndsWhereAllRatiosAreTheSame) {
  // Every constant is equal: each ratio test is a tie. min z'z / 2 - sum z over z <= 1, twice.
  const std::size_t n = 8;
  std::vector<std::vector<double>> m(2 * n, std::vector<double>(2 * n));
  std::vector<double> q(2 * n);
  for (std::size_t i = 0; i < n; ++i) {
    m[i][i] = m[i][n + i] = 1;
    m[n + i][i] = -1;
    q[i] = -1;
    q[n + i] = 1;
  }
  LemkeTableau made = tableau(m, q);
  ASSERT_EQ(made.solve(), State::kSolved);
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(made.z(i), 1, 1e-12);
}

TEST(Lemke, ComesToAnEndOnACycleOfTheLeastIndex) {
  // Murty (1988), example 2.11: with ties broken by a fixed order the method cycles.
  LemkeTableau made = tableau({{1, 2, 0}, {0, 1, 2}, {2, 0, 1}}, {-1, -1, -1});
  ASSERT_EQ(made.solve(), State::kSolved);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(made.z(i), 1.0 / 3, 1e-12);
}

}  // namespace
}  // namespace ppu::model::distance
