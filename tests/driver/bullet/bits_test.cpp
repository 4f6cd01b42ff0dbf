// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Worlds on the PPU beside the same worlds on Bullet's own solver: equal bits in every frame.
#include <gtest/gtest.h>

#include <cmath>

#include "backends.hpp"
#include "ppu/bullet.h"
#include "worlds.hpp"

namespace ppu {
namespace {

using test::Scene;
using test::World;

/// Both worlds, frame by frame. Returns the sum of the reports.
BulletReport expect_equal_bits(const Scene& scene, BulletConstraintSolver* solver, int frames) {
  btSequentialImpulseConstraintSolver engine;
  World expected(&engine);
  World found(solver);
  scene.build(&expected);
  scene.build(&found);
  BulletReport sum;
  for (int frame = 0; frame < frames; ++frame) {
    scene.before_frame(&expected, frame);
    scene.before_frame(&found, frame);
    expected.step();
    found.step();
    sum += solver->last_report();
    EXPECT_EQ(found.bits(), expected.bits()) << "frame " << frame;
    EXPECT_EQ(solver->m_analyticsData.m_numIterationsUsed,
              engine.m_analyticsData.m_numIterationsUsed)
        << "frame " << frame;
    if (testing::Test::HasFailure()) break;
  }
  return sum;
}

class EachScene : public testing::TestWithParam<Scene> {};

TEST_P(EachScene, HasTheBitsOfBulletsOwnSolver) {
  BulletConstraintSolver solver("functional");
  const BulletReport report = expect_equal_bits(GetParam(), &solver, 150);
  RecordProperty("rows", std::to_string(report.rows));
  RecordProperty("sweeps", std::to_string(report.sweeps));
}

INSTANTIATE_TEST_SUITE_P(Functional, EachScene, testing::ValuesIn(test::scenes()),
                         [](const auto& each) { return each.param.name; });

class EachSeed : public testing::TestWithParam<std::uint32_t> {};

TEST_P(EachSeed, HasTheBitsOfBulletsOwnSolver) {
  BulletConstraintSolver solver("functional");
  expect_equal_bits(test::random_scene(GetParam()), &solver, 90);
}

INSTANTIATE_TEST_SUITE_P(Functional, EachSeed, testing::Range(0U, 32U));

class EachBackend : public testing::TestWithParam<std::string> {};

TEST_P(EachBackend, HasTheBitsOfBulletsOwnSolver) {
  BulletConstraintSolver solver(GetParam());
  for (const char* name : {"TwoFrictionDirections", "RollingFriction", "IterationsOfTheirOwn"})
    expect_equal_bits(test::scene(name), &solver, 12);
}

TEST_P(EachBackend, HasTheSameBitsOnManyEnginesAndPipes) {
  const char* const overrides[] = {"engines=2", "pipes=4"};
  ppu_device_def def = ppu_default_device_def();
  def.backend = GetParam().c_str();
  def.overrides = overrides;
  def.override_count = 2;
  if (GetParam() == "cosim" || GetParam() == "rtl") GTEST_SKIP() << "not built for this one";
  BulletConstraintSolver solver(def);
  for (const char* name : {"Defaults", "StopsNever", "RollingFriction"})
    expect_equal_bits(test::scene(name), &solver, 20);
}

INSTANTIATE_TEST_SUITE_P(All, EachBackend, testing::ValuesIn(driver::test::backends()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace ppu
