// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Impulses of a frame at the contacts of the next.
#include "sim/demo/mapped_start.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "model/reference/residual.hpp"
#include "sim/demo/scene_problem.hpp"

namespace ppu::sim {
namespace {

using model::RowKind;
using model::RowProblem;
using Vector = std::array<float, 3>;

void add_row(RowProblem& rows, RowKind kind, std::int32_t parent, const Vector& d,
             const Vector& r) {
  const std::array<float, 12> jacobian{d[0],
                                       d[1],
                                       d[2],
                                       r[1] * d[2] - r[2] * d[1],
                                       r[2] * d[0] - r[0] * d[2],
                                       r[0] * d[1] - r[1] * d[0]};
  rows.kind.push_back(kind);
  rows.parent.push_back(parent);
  rows.body.push_back({0, -1});
  rows.jacobian.insert(rows.jacobian.end(), jacobian.begin(), jacobian.end());
}

/// A contact with its normal along y and friction along `first` and `second`.
void add_contact(RowProblem& rows, const Vector& place, const Vector& first, const Vector& second) {
  const auto normal = static_cast<std::int32_t>(rows.rows());
  add_row(rows, RowKind::kContact, -1, {0, 1, 0}, place);
  add_row(rows, RowKind::kFriction, normal, first, place);
  add_row(rows, RowKind::kFriction, normal, second, place);
}

constexpr Vector kX{1, 0, 0}, kZ{0, 0, 1}, kBackX{-1, 0, 0};
constexpr Vector kHere{0.5F, -0.5F, 0.25F}, kNear{0.52F, -0.5F, 0.25F}, kFar{-0.5F, -0.5F, 0.25F};

TEST(MappedStart, FindsContactsByPlaceAndTurnsFriction) {
  RowProblem before, after;
  add_contact(before, kHere, kX, kZ);
  add_contact(before, kFar, kX, kZ);
  add_contact(after, kFar, kX, kZ);
  add_contact(after, kNear, kZ, kBackX);
  const MappedStart start = map_start(before, {7, 2, 3, 9, 4, 5}, after, {0});
  EXPECT_EQ(start.impulse, (std::vector<float>{9, 4, 5, 7, 3, -2}));
  EXPECT_EQ(start.contacts, 2U);
  EXPECT_EQ(start.matched, 2U);
}

TEST(MappedStart, FindsBodiesThatHaveOtherNumbersAndSides) {
  RowProblem before, after;
  add_contact(before, kHere, kX, kZ);
  add_contact(after, kHere, kX, kZ);
  // The body was number 0 and first; it is number 1 and second.
  for (std::size_t i = 0; i < 3; ++i) {
    after.body[i] = {-1, 1};
    std::rotate(after.jacobian.begin() + 12 * i, after.jacobian.begin() + 12 * i + 6,
                after.jacobian.begin() + 12 * (i + 1));
  }
  EXPECT_EQ(map_start(before, {7, 2, 3}, after, {-1, 0}).impulse, (std::vector<float>{7, 2, 3}));
  EXPECT_EQ(map_start(before, {7, 2, 3}, after, {0, -1}).matched, 0U);
}

TEST(MappedStart, StartsContactsThatAreNewFromZero) {
  RowProblem before, after;
  add_contact(before, kHere, kX, kZ);
  add_contact(after, {0.5F, -0.5F, 0.19F}, kX, kZ);  // 6 cm away.
  add_contact(after, kHere, kX, kZ);
  after.body[3] = after.body[4] = after.body[5] = {1, -1};  // Of another body.
  const MappedStart start = map_start(before, {7, 2, 3}, after, {0, -1});
  EXPECT_EQ(start.impulse, std::vector<float>(6));
  EXPECT_EQ(start.contacts, 2U);
  EXPECT_EQ(start.matched, 0U);
}

TEST(MappedStart, FindsJointRowsByNumber) {
  RowProblem before, after;
  for (RowProblem* rows : {&before, &after})
    for (const Vector& d : {kX, kZ}) add_row(*rows, RowKind::kJoint, -1, d, kHere);
  add_row(after, RowKind::kJoint, -1, kBackX, kHere);
  EXPECT_EQ(map_start(before, {1, 2}, after, {0}).impulse, (std::vector<float>{1, 2, 0}));
}

TEST(MappedStart, OfAFrameItselfIsItsAnswerWithItsVelocities) {
  const RowProblem problem = scene_problem("ragdoll", 1, 100);
  const std::vector<float>& answer = problem.reference->impulse;
  std::vector<std::int32_t> same(problem.bodies());
  std::iota(same.begin(), same.end(), 0);
  const MappedStart start = map_start(problem, answer, problem, same);
  EXPECT_EQ(start.matched, start.contacts);
  ASSERT_EQ(start.impulse.size(), answer.size());
  for (std::size_t i = 0; i < answer.size(); ++i) EXPECT_NEAR(start.impulse[i], answer[i], 1e-4);
  const RowProblem started = started_from(start, problem);
  EXPECT_LT(model::coupling_error(started, started.impulse, started.velocity_change), 1e-4);
}

}  // namespace
}  // namespace ppu::sim
