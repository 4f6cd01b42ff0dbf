// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Worlds on the PPU beside the same worlds on Bullet's own solver: equal bits in every frame.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "ppu/bullet.h"
#include "tests/driver/bullet/worlds.hpp"
#include "tests/driver/support/backends.hpp"

namespace ppu {
namespace {

using test::Scene;
using test::World;

/// What Bullet says of its test, which we know wherever the test can end the iterations.
void expect_equal_analytics(const btSequentialImpulseConstraintSolver& found,
                            const btSequentialImpulseConstraintSolver& expected, bool tests) {
  const auto& ours = found.m_analyticsData;
  const auto& bullets = expected.m_analyticsData;
  EXPECT_EQ(ours.m_numIterationsUsed, bullets.m_numIterationsUsed);
  if (tests && std::isfinite(bullets.m_remainingLeastSquaresResidual)) {
    EXPECT_EQ(ours.m_remainingLeastSquaresResidual, bullets.m_remainingLeastSquaresResidual);
  } else if (bullets.m_remainingLeastSquaresResidual != 0) {
    EXPECT_TRUE(std::isnan(ours.m_remainingLeastSquaresResidual));
  }
}

/// Both worlds, frame by frame, and that the device has solved every group. Returns the sum of the
/// reports.
BulletReport expect_equal_bits(const Scene& scene, BulletConstraintSolver* solver, int frames) {
  btSequentialImpulseConstraintSolver engine;
  World expected(&engine);
  World found(solver);
  scene.build(&expected);
  scene.build(&found);
  const bool iterates = found.settings().m_numIterations > 0;
  solver->observe(
      [iterates](const BulletRows& rows, const BulletReport& group, const BulletProfile&) {
        EXPECT_EQ(group.solves > 0, iterates);
        EXPECT_GE(group.row_updates, iterates ? rows.row_count() : 0);
      });
  BulletReport sum;
  for (int frame = 0; frame < frames; ++frame) {
    scene.before_frame(&expected, frame);
    scene.before_frame(&found, frame);
    expected.step();
    found.step();
    sum += solver->last_report();
    EXPECT_EQ(found.bits(), expected.bits()) << "frame " << frame;
    expect_equal_analytics(*solver, engine, found.settings().m_leastSquaresResidualThreshold >= 0);
    if (testing::Test::HasFailure()) break;
  }
  solver->observe(nullptr);
  return sum;
}

class EachScene : public testing::TestWithParam<Scene> {};

TEST_P(EachScene, HasTheBitsOfBulletsOwnSolver) {
  BulletConstraintSolver solver("functional");
  const BulletReport report = expect_equal_bits(GetParam(), &solver, 90);
  RecordProperty("rows", std::to_string(report.rows));
  RecordProperty("sweeps", std::to_string(report.sweeps));
}

TEST_P(EachScene, HasThemInTheEnginesOrderOfRowsToo) {
  BulletConstraintSolver solver("functional");
  solver.order(PPU_ORDER_ENGINE);
  expect_equal_bits(GetParam(), &solver, 90);
}

INSTANTIATE_TEST_SUITE_P(Functional, EachScene, testing::ValuesIn(test::scenes()),
                         [](const auto& each) { return each.param.name; });

/// So small that nearly every group is larger than its memories.
Device small_device(const std::string& backend) {
  return driver::test::open(
      backend, "small", {"impulse_memory_rows=16", "row_memory_rows=16", "body_memory_bodies=64"});
}

TEST_P(EachScene, HasThemInPartsToo) {
  const Device device = small_device("functional");
  BulletConstraintSolver solver(device);
  expect_equal_bits(GetParam(), &solver, 90);
}

TEST(Parts, AreOfAsManyBodiesAsThereIsRoomFor) {
  const Device device = driver::test::open("functional", "small", {"body_memory_bodies=64"});
  BulletConstraintSolver solver(device);
  EXPECT_EQ(solver.limits().bodies, 64U);
  const Scene wall{"Wall", [](World* world) {
                     world->add_ground();
                     for (int i = 0; i < 150; ++i)
                       world->add(new btBoxShape(btVector3(0.5F, 0.5F, 0.5F)), 1,
                                  btVector3(static_cast<float>(i % 15),
                                            0.55F + 1.02F * static_cast<float>(i / 15), 0));
                   }};
  const BulletReport report = expect_equal_bits(wall, &solver, 40);
  EXPECT_GT(report.runs, 2 * report.sweeps) << "two parts and more in most iterations";
}

class EachSetting : public testing::TestWithParam<test::Setting> {};

TEST_P(EachSetting, HasTheBitsOfBulletsOwnSolver) {
  BulletConstraintSolver solver("functional");
  expect_equal_bits(test::with(GetParam()), &solver, 90);
}

TEST_P(EachSetting, HasThemInPartsToo) {
  const Device device = small_device("functional");
  BulletConstraintSolver solver(device);
  expect_equal_bits(test::with(GetParam()), &solver, 30);
}

/// So that the manual can say what has no effect on either solver.
TEST_P(EachSetting, IsReadByBulletAsWeSay) {
  btSequentialImpulseConstraintSolver engines[2];
  World changed(&engines[0]);
  World plain(&engines[1]);
  const Scene scene = test::scene(GetParam().scene);
  test::with(GetParam()).build(&changed);
  scene.build(&plain);
  bool differs = false;
  for (int frame = 0; frame < 90; ++frame) {
    for (World* world : {&changed, &plain}) {
      scene.before_frame(world, frame);
      world->step();
    }
    differs = differs || changed.bits() != plain.bits();
  }
  EXPECT_EQ(differs, GetParam().read);
}

INSTANTIATE_TEST_SUITE_P(Functional, EachSetting, testing::ValuesIn(test::settings()),
                         [](const auto& each) { return each.param.name; });

TEST(Manual, SaysOfEverySettingWhetherBulletReadsIt) {
  std::ifstream file(PPU_BULLET_PAGE);
  std::map<std::string, std::string> said;
  for (std::string line; std::getline(file, line);)
    if (line.rfind("| `", 0) == 0) said[line.substr(3, line.find('`', 3) - 3)] = line;
  for (const test::Setting& setting : test::settings()) {
    const std::string& line = said[setting.name];
    EXPECT_NE(line.find(setting.read ? "| yes |" : "| no |"), std::string::npos)
        << setting.name << ": " << line;
  }
}

class EachSeed : public testing::TestWithParam<std::uint32_t> {};

TEST_P(EachSeed, HasTheBitsOfBulletsOwnSolver) {
  BulletConstraintSolver solver("functional");
  if (GetParam() % 2 == 1) solver.order(PPU_ORDER_ENGINE);
  expect_equal_bits(test::random_scene(GetParam()), &solver, 60);
}

TEST_P(EachSeed, HasThemInPartsToo) {
  const Device device = small_device("functional");
  BulletConstraintSolver solver(device);
  expect_equal_bits(test::random_scene(GetParam()), &solver, 60);
}

INSTANTIATE_TEST_SUITE_P(Functional, EachSeed, testing::Range(0U, 32U));

class EachBackend : public testing::TestWithParam<std::string> {};

TEST_P(EachBackend, HasTheBitsOfBulletsOwnSolver) {
  BulletConstraintSolver solver(GetParam());
  for (const char* name : {"TwoFrictionDirections", "RollingFriction", "IterationsOfTheirOwn"})
    expect_equal_bits(test::scene(name), &solver, 12);
}

INSTANTIATE_TEST_SUITE_P(All, EachBackend, testing::ValuesIn(driver::test::backends()),
                         [](const auto& each) { return driver::test::name_of(each.param); });

/// On small, so that there is RTL of its shape, which has room for 2048 bodies.
TEST_P(EachBackend, HasThemInPartsToo) {
  const Device device = driver::test::open(GetParam(), "small");
  BulletConstraintSolver solver(device);
  constexpr int kBalls = 2100;
  ASSERT_LT(solver.limits().bodies, static_cast<std::uint32_t>(kBalls));
  const Scene balls{"Balls", [](World* world) {
                      world->add_ground();
                      world->settings().m_numIterations = 2;
                      world->settings().m_minimumSolverBatchSize = 2 * kBalls;
                      for (int i = 0; i < kBalls; ++i)
                        world->add(new btSphereShape(0.5F), 1,
                                   btVector3(static_cast<float>(2 * (i % 50) - 50), 0.5F,
                                             static_cast<float>(2 * (i / 50) - 40)));
                    }};
  const BulletReport report = expect_equal_bits(balls, &solver, 1);
  EXPECT_GE(report.solves, 2 * report.groups);
  EXPECT_GT(report.rows, static_cast<std::uint64_t>(kBalls));
}

/// The configurations that RTL is built for have one engine.
std::vector<std::string> backends_of_many_engines() {
  std::vector<std::string> names = driver::test::backends();
  names.resize(std::min<std::size_t>(names.size(), 2));
  return names;
}

class ManyEngines : public testing::TestWithParam<std::string> {};

TEST_P(ManyEngines, HaveTheBitsOfBulletsOwnSolver) {
  const Device device = driver::test::open(GetParam(), "default", {"engines=2", "pipes=4"});
  BulletConstraintSolver solver(device);
  for (const char* name : {"Defaults", "RollingFriction"})
    expect_equal_bits(test::scene(name), &solver, 20);
  const BulletReport report = expect_equal_bits(test::scene("StopsNever"), &solver, 20);
  EXPECT_GT(report.runs, report.solves) << "towers on both engines";
}

INSTANTIATE_TEST_SUITE_P(All, ManyEngines, testing::ValuesIn(backends_of_many_engines()),
                         [](const auto& each) { return driver::test::name_of(each.param); });

}  // namespace
}  // namespace ppu
