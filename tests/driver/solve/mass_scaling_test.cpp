// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The reduced form of a body: roots of its masses, and what cannot be reduced.
#include "driver/solve/mass_scaling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "driver/base/failure.hpp"
#include "tests/driver/support/problems.hpp"

namespace ppu::driver {
namespace {

using test::view;
using Vector = MassScaling::Vector;

/// A column of unit masses with the masses in its problem.
model::RowProblem with_masses(std::uint32_t count) {
  model::RowProblem problem = test::column(count);
  problem.inv_mass.assign(count, 1.0F);
  problem.inv_inertia.assign(std::size_t{count} * 9, 0.0F);
  for (std::size_t i = 0; i < problem.inv_inertia.size(); ++i)
    if (i % 9 % 4 == 0) problem.inv_inertia[i] = 1.0F;
  return problem;
}

TEST(MassScaling, TakesTheRootOfMassAndInertia) {
  model::RowProblem problem = with_masses(1);
  problem.jacobian.assign(12, 0.0F);
  problem.inv_mass_jacobian.assign(12, 0.0F);
  problem.inv_mass = {0.25F};
  // Turned about z: 16 and 4 along the diagonals of x and y.
  problem.inv_inertia = {10, 6, 0, 6, 10, 0, 0, 0, 9};
  const MassScaling scaling(view(problem), PPU_START_COLD);
  const float along[6] = {2, 0, 0, 1, 1, 0};
  const Vector scaled = scaling.scale_jacobian(0, along);
  const Vector expected = {1, 0, 0, 4, 4, 0};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(scaled[i], expected[i], 1e-6) << i;
}

TEST(MassScaling, OfSpeedsIsUndoneByItsInverse) {
  const model::RowProblem problem = test::read_test_data("topple_f060.h5");
  const MassScaling scaling(view(problem), PPU_START_WARM);
  for (std::size_t body = 0; body < problem.bodies(); ++body) {
    const float v[6] = {0.5F, -1, 2, 3, -0.25F, 1};
    const Vector there = scaling.to_reduced(body, v);
    const Vector back = scaling.from_reduced(body, there.data());
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(back[i], v[i], 1e-5) << body;
  }
}

TEST(MassScaling, TwiceGivesTheRowsOfTheProblem) {
  const model::RowProblem problem = test::read_test_data("ragdollcfm_f070.h5");
  const MassScaling scaling(view(problem), PPU_START_WARM);
  for (std::size_t half = 0; half < 2 * problem.rows(); ++half) {
    const std::int32_t body = problem.body[half / 2][half % 2];
    if (body < 0) continue;
    const auto index = static_cast<std::size_t>(body);
    const Vector once = scaling.scale_jacobian(index, &problem.jacobian[6 * half]);
    const Vector twice = scaling.from_reduced(index, once.data());
    for (std::size_t i = 0; i < 6; ++i) {
      const float given = problem.inv_mass_jacobian[6 * half + i];
      EXPECT_NEAR(twice[i], given, 1e-4F * std::fabs(given) + 1e-4F);
    }
  }
}

/// Body 0 of two cannot move, nor does any row move it.
model::RowProblem with_a_held_body() {
  model::RowProblem problem = with_masses(2);
  problem.inv_mass[0] = 0;
  for (std::size_t i = 0; i < 9; ++i) problem.inv_inertia[i] = 0;
  for (std::size_t half = 0; half < 4; ++half)
    if (problem.body[half / 2][half % 2] == 0)
      std::fill_n(&problem.inv_mass_jacobian[half * 6], 6, 0.0F);
  return problem;
}

/// Body 0 turns about x and y only, and no row turns it.
model::RowProblem with_a_locked_axis() {
  model::RowProblem problem = with_masses(2);
  problem.inv_inertia[8] = 0;
  return problem;
}

void expect_kept(const MassScaling& scaling, const float* v) {
  const Vector there = scaling.to_reduced(0, v);
  const Vector back = scaling.from_reduced(0, there.data());
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(back[i], v[i], 1e-6F * std::fabs(v[i])) << i;
}

TEST(MassScaling, LeavesABodyThatCannotMoveAtRest) {
  const model::RowProblem problem = with_a_held_body();
  const MassScaling scaling(view(problem), PPU_START_WARM);
  const float v[6] = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(scaling.from_reduced(0, v), Vector{});
  const float rest[6] = {};
  expect_kept(scaling, rest);
}

TEST(MassScaling, KeepsTheVelocityAlongAxesThatAreFree) {
  model::RowProblem problem = with_a_locked_axis();
  const float v[6] = {1, 2, 3, 4, 5, 0};
  std::copy_n(v, 6, problem.velocity_change.begin());
  expect_kept(MassScaling(view(problem), PPU_START_WARM), v);
}

TEST(MassScaling, KeepsAVelocityOfInertiasThatAreFarApart) {
  model::RowProblem problem = with_masses(1);
  // Turned about z: 1 and 1e-5 along the diagonals of x and y.
  const float sum = 0.5F * (1 + 1e-5F);
  const float difference = 0.5F * (1 - 1e-5F);
  problem.inv_inertia = {sum, difference, 0, difference, sum, 0, 0, 0, 3e-3F};
  const float v[6] = {1e-30F, 2, 1e-44F, 0.7F, -0.7F, 1e-20F};
  std::copy_n(v, 6, problem.velocity_change.begin());
  EXPECT_NO_THROW(MassScaling(view(problem), PPU_START_WARM));
}

TEST(MassScaling, ThrowsNoVelocityAwayAtAColdStart) {
  model::RowProblem problem = with_a_held_body();
  problem.velocity_change[4] = 3;
  EXPECT_NO_THROW(MassScaling(view(problem), PPU_START_COLD));
}

struct MassRefusal {
  const char* name;
  std::function<void(model::RowProblem*)> spoil;
  ppu_result result;
  const char* sentence;
};

class MassScalingRefuses : public testing::TestWithParam<MassRefusal> {};

TEST_P(MassScalingRefuses, InASentence) {
  model::RowProblem problem = with_masses(3);
  GetParam().spoil(&problem);
  try {
    const MassScaling scaling(view(problem), PPU_START_WARM);
    FAIL() << "not refused";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.result, GetParam().result);
    EXPECT_EQ(std::string(failure.what()).find(GetParam().sentence), 0U) << failure.what();
  }
}

using P = model::RowProblem;

INSTANTIATE_TEST_SUITE_P(
    Problems, MassScalingRefuses,
    testing::Values(
        MassRefusal{"NoMasses", [](P* p) { p->inv_mass.clear(); }, PPU_ERROR_INVALID_ARGUMENT,
                    "problem->inv_mass is null"},
        MassRefusal{"NoInertia", [](P* p) { p->inv_inertia.clear(); }, PPU_ERROR_INVALID_ARGUMENT,
                    "problem->inv_inertia is null"},
        MassRefusal{"NegativeMass", [](P* p) { p->inv_mass[1] = -1; }, PPU_ERROR_PROBLEM,
                    "body 1: inv_mass is -1, expected >= 0"},
        MassRefusal{"NanInertia", [](P* p) { p->inv_inertia[9] = NAN; }, PPU_ERROR_PROBLEM,
                    "body 1: inv_inertia has nan at column 0"},
        MassRefusal{
            "MassesOfAnotherProblem", [](P* p) { p->inv_mass[2] = 4; }, PPU_ERROR_PROBLEM,
            "row 2: inv_mass_jacobian has 1 at column 7, expected 4, M^-1 J^T by inv_mass and "
            "inv_inertia of body 2"},
        MassRefusal{"MovingImmovableBody",
                    [](P* p) { *p = with_a_held_body(), p->velocity_change[1] = 3; },
                    PPU_ERROR_PROBLEM,
                    "body 0: velocity_change has 3 at column 1, of which the reduced form keeps 0: "
                    "inv_mass or inv_inertia hold the body"},
        MassRefusal{"TurningImmovableBody",
                    [](P* p) { *p = with_a_held_body(), p->velocity_change[4] = 3; },
                    PPU_ERROR_PROBLEM,
                    "body 0: velocity_change has 3 at column 4, of which the reduced form keeps 0"},
        MassRefusal{
            "TurningAboutALockedAxis",
            [](P* p) { *p = with_a_locked_axis(), p->velocity_change[5] = -2; }, PPU_ERROR_PROBLEM,
            "body 0: velocity_change has -2 at column 5, of which the reduced form keeps 0"},
        MassRefusal{
            "TurningAboutAnAxisThatRoundingHasLeft",
            [](P* p) { p->inv_inertia[9] = 1e-7F, p->velocity_change[9] = 1e-3F; },
            PPU_ERROR_PROBLEM,
            "body 1: velocity_change has 0.001 at column 3, of which the reduced form keeps "
            "0"},
        MassRefusal{
            "TurningPartlyAboutALockedAxis",
            [](P* p) {
              for (const std::size_t i : {0U, 1U, 3U, 4U}) p->inv_inertia[i] = 0.5F;
              p->velocity_change[3] = 4;
            },
            PPU_ERROR_PROBLEM,
            "body 0: velocity_change has 4 at column 3, of which the reduced form keeps 2"}),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace ppu::driver
