// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What is left of a world, a solver and an observer after a step that threw, or an observer that
// changed the observers.
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "ppu/bullet.h"
#include "tests/driver/bullet/refusal_of_step.hpp"
#include "tests/driver/bullet/worlds.hpp"

namespace ppu {
namespace {

using test::refusal_of_step;
using test::World;

/// A refused step leaves nothing behind, in the solver, in the bodies or in Bullet's list of
/// islands, that a later step would find: it is as if there had been none.
TEST(Refusal, LeavesAWorldThatGoesOn) {
  btSequentialImpulseConstraintSolver engine;
  BulletConstraintSolver solver("functional");
  solver.on_refusal(BulletRefusal::kStep);
  World expected(&engine);
  World found(&solver);
  for (World* world : {&expected, &found}) test::scene("KinematicPlatform").build(world);
  btRigidBody& body = *btRigidBody::upcast(found->getCollisionObjectArray()[2]);
  for (int frame = 0; frame < 40; ++frame) {
    if (frame == 20) {
      body.setLinearFactor(btVector3(0.5F, 1, 1));
      EXPECT_NE(refusal_of_step<BulletUnsupported>(&found), "");
      found->clearForces();
      body.setLinearFactor(btVector3(1, 1, 1));
    }
    expected.step();
    found.step();
    ASSERT_EQ(found.bits(), expected.bits()) << "frame " << frame;
  }
}

/// Towers that are groups of their own, the second of which ends a step that goes wrong. The bodies
/// of the groups that were not solved are then those of a world without that step.
class SecondGroup : public testing::Test {
 protected:
  static constexpr int kSecondTower = 4, kThirdTower = 8;

  static void build(World* world) {
    test::build_towers(world);
    world->settings().m_minimumSolverBatchSize = 1;
    for (int frame = 0; frame < 20; ++frame) world->step();
  }
  static btRigidBody& body(World* world, int index) {
    return *btRigidBody::upcast((*world)->getCollisionObjectArray()[index]);
  }
  static void expect_as_without_the_step(World* found, int first_body) {
    btSequentialImpulseConstraintSolver engine;
    World expected(&engine);
    build(&expected);
    (*found)->clearForces();
    found->step();
    expected.step();
    for (int i = first_body; i < (*found)->getNumCollisionObjects(); ++i)
      EXPECT_EQ(body(found, i).getLinearVelocity(), body(&expected, i).getLinearVelocity()) << i;
  }
  void throw_at_the_second() {
    if (++observed_ == 2) throw std::runtime_error("enough");
  }
  void expect_a_step_of_two_groups(World* world) {
    observed_ = 0;
    EXPECT_EQ(refusal_of_step<std::runtime_error>(world), "enough");
    EXPECT_EQ(observed_, 2) << "no group behind the one that threw";
  }

  int observed_ = 2;  ///< Groups of which an observer was told.
};

TEST_F(SecondGroup, ThatIsRefusedLeavesNothingForTheNextStep) {
  BulletConstraintSolver solver("functional");
  solver.on_refusal(BulletRefusal::kStep);
  World world(&solver);
  build(&world);
  body(&world, kSecondTower).setLinearFactor(btVector3(0.5F, 1, 1));
  EXPECT_NE(refusal_of_step<BulletUnsupported>(&world), "");
  EXPECT_EQ(solver.last_report().groups, 1U);
  body(&world, kSecondTower).setLinearFactor(btVector3(1, 1, 1));
  expect_as_without_the_step(&world, kSecondTower);
}

TEST_F(SecondGroup, WhoseObserverThrowsLeavesNothingForTheNextStep) {
  BulletConstraintSolver solver("functional");
  World world(&solver);
  build(&world);
  solver.observe([this](const BulletRows&, const BulletReport&, const BulletProfile&) {
    throw_at_the_second();
  });
  expect_a_step_of_two_groups(&world);
  EXPECT_EQ(solver.last_report().groups, 2U) << "it has been solved before";
  expect_as_without_the_step(&world, kThirdTower);
}

TEST_F(SecondGroup, WhoseRecordingThrowsLeavesNothingForTheNextStep) {
  BulletRowRecorder recorder([this](const BulletRows&) { throw_at_the_second(); });
  World world(&recorder);
  build(&world);
  expect_a_step_of_two_groups(&world);
  expect_as_without_the_step(&world, kSecondTower);
}

TEST_F(SecondGroup, WhoseRecordedAnswerThrowsLeavesNothingForTheNextStep) {
  BulletRowRecorder recorder(nullptr, [this](const BulletRows&) { throw_at_the_second(); });
  World world(&recorder);
  build(&world);
  expect_a_step_of_two_groups(&world);
  expect_as_without_the_step(&world, kSecondTower);
}

/// An observer that is destroyed by its own call, with what it has captured.
TEST(Observer, MayTakeItselfOff) {
  const std::vector<int> captured(1000, 1);
  int calls = 0;
  BulletConstraintSolver solver("functional");
  World world(&solver);
  test::build_towers(&world);
  solver.observe(
      [captured, &calls, &solver](const BulletRows&, const BulletReport&, const BulletProfile&) {
        solver.observe(nullptr);
        calls += captured[999];
      });
  for (int frame = 0; frame < 20; ++frame) world.step();
  EXPECT_EQ(calls, 1);
}

TEST(Observer, OfARecorderMayTakeItselfOff) {
  const std::vector<int> captured(1000, 1);
  int calls = 0;
  BulletRowRecorder recorder(nullptr);
  World world(&recorder);
  test::build_towers(&world);
  const auto once = [captured, &calls, &recorder](const BulletRows&) {
    recorder.observe(nullptr);
    calls += captured[999];
  };
  for (int i = 0; i < 2; ++i) {
    i == 0 ? recorder.observe(once) : recorder.observe(nullptr, once);
    for (int frame = 0; frame < 20; ++frame) world.step();
    EXPECT_EQ(calls, i + 1);
  }
}

}  // namespace
}  // namespace ppu
