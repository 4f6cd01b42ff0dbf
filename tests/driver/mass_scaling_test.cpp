// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The reduced form of a body: roots of its masses, and what cannot be reduced.
#include "mass_scaling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "failure.hpp"
#include "problems.hpp"

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

TEST(MassScaling, LeavesABodyThatCannotMoveAtRest) {
  model::RowProblem problem = with_masses(2);
  problem.inv_mass[0] = 0;
  for (std::size_t i = 0; i < 9; ++i) problem.inv_inertia[i] = 0;
  for (std::size_t row = 0; row < 2; ++row)
    for (std::size_t half = 0; half < 2; ++half)
      if (problem.body[row][half] == 0)
        for (std::size_t i = 0; i < 6; ++i) problem.inv_mass_jacobian[row * 12 + half * 6 + i] = 0;
  const MassScaling scaling(view(problem), PPU_START_WARM);
  const float v[6] = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(scaling.to_reduced(0, v), Vector{});
  EXPECT_EQ(scaling.from_reduced(0, v), Vector{});
}

struct Refusal {
  const char* name;
  std::function<void(model::RowProblem*)> spoil;
  ppu_result result;
  const char* sentence;
};

class MassScalingRefuses : public testing::TestWithParam<Refusal> {};

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
        Refusal{"NoMasses", [](P* p) { p->inv_mass.clear(); }, PPU_ERROR_INVALID_ARGUMENT,
                "problem->inv_mass is null"},
        Refusal{"NoInertia", [](P* p) { p->inv_inertia.clear(); }, PPU_ERROR_INVALID_ARGUMENT,
                "problem->inv_inertia is null"},
        Refusal{"NegativeMass", [](P* p) { p->inv_mass[1] = -1; }, PPU_ERROR_PROBLEM,
                "body 1: inv_mass is -1, expected >= 0"},
        Refusal{"NanInertia", [](P* p) { p->inv_inertia[9] = NAN; }, PPU_ERROR_PROBLEM,
                "body 1: inv_inertia has nan at column 0"},
        Refusal{"MassesOfAnotherProblem", [](P* p) { p->inv_mass[2] = 4; }, PPU_ERROR_PROBLEM,
                "row 2: inv_mass_jacobian has 1 at column 7, expected 4, M^-1 J^T by inv_mass and "
                "inv_inertia of body 2"},
        Refusal{"MovingImmovableBody",
                [](P* p) {
                  p->inv_mass[0] = 0;
                  p->velocity_change[1] = 3;
                },
                PPU_ERROR_PROBLEM, "body 0: inv_mass is 0 and velocity_change is not"}),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace ppu::driver
