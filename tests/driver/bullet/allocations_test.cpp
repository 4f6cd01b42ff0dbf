// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A frame in the engine's order of rows allocates as little as one of Bullet's own solver: nothing.
// That is so in the default order, too.
#include <gtest/gtest.h>

#include "ppu/bullet.h"
#include "tests/driver/bullet/worlds.hpp"
#include "tests/driver/support/failing_new.hpp"

namespace ppu {
namespace {

class Allocations : public testing::TestWithParam<const char*> {};

void expect_none(BulletConstraintSolver* solver, const char* name) {
  test::World world(solver);
  const test::Scene& scene = test::scene(name);
  scene.build(&world);
  for (int frame = 0; frame < 60; ++frame) world.step();
  for (int frame = 0; frame < 5; ++frame) {
    EXPECT_EQ(driver::test::allocations_of([&world] { world.step(); }), 0) << "frame " << frame;
    EXPECT_GT(solver->last_report().rows, 0U);
    EXPECT_EQ(solver->last_report().plan_seconds, 0) << "frame " << frame;
  }
}

TEST_P(Allocations, AreNoneOnceMemoryHasItsSize) {
  BulletConstraintSolver solver("functional");
  solver.order(PPU_ORDER_ENGINE);
  expect_none(&solver, GetParam());
}

TEST_P(Allocations, AreNoneWhereTheDeviceSchedules) {
  ppu_device_def def = ppu_default_device_def();
  def.backend = "functional";
  BulletConstraintSolver solver(def);
  expect_none(&solver, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Scenes, Allocations,
                         testing::Values("Defaults", "TwoFrictionDirections", "RollingFriction"),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace ppu
