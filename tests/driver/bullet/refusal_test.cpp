// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the plug-in refuses.
#include <gtest/gtest.h>

#include <cfenv>
#include <limits>
#include <string>

#include "ppu/bullet.h"
#include "tests/driver/bullet/refusal_of_step.hpp"
#include "tests/driver/bullet/worlds.hpp"

namespace ppu {
namespace {

using test::refusal_of_step;
using test::World;

bool begins(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A joint that moves bodies in code of its own, once per iteration.
class SelfMadeJoint : public btPoint2PointConstraint {
 public:
  using btPoint2PointConstraint::btPoint2PointConstraint;
  void solveConstraintObsolete(btSolverBody& a, btSolverBody&, btScalar) override {
    a.internalGetDeltaLinearVelocity() += btVector3(0, 1e-3F, 0);
  }
};

/// The same in a class of Bullet's that has such code, switched off.
class SelfMadeConeTwist : public btConeTwistConstraint {
 public:
  using btConeTwistConstraint::btConeTwistConstraint;
  void solveConstraintObsolete(btSolverBody& a, btSolverBody&, btScalar) override {
    a.internalGetDeltaLinearVelocity() += btVector3(0, 1e-3F, 0);
  }
};

/// A joint with rows of its own and nothing else.
class OwnRowsJoint : public btPoint2PointConstraint {
 public:
  using btPoint2PointConstraint::btPoint2PointConstraint;
  void getInfo2(btConstraintInfo2* info) override {
    btPoint2PointConstraint::getInfo2(info);
    info->m_constraintError[0] *= 0.5F;
  }
};

class Refusals : public testing::Test {
 protected:
  Refusals() {
    test::build_towers(&world_);
    solver_.on_refusal(BulletRefusal::kStep);
  }
  btRigidBody& body(int index) {
    return *btRigidBody::upcast(world_->getCollisionObjectArray()[index]);
  }

  BulletConstraintSolver solver_{"functional"};
  World world_{&solver_};
};

TEST_F(Refusals, FactorsBetweenZeroAndOne) {
  body(2).setLinearFactor(btVector3(1, 0.5F, 1));
  body(2).setUserIndex(42);
  EXPECT_TRUE(begins(refusal_of_step<BulletUnsupported>(&world_),
                     "body 2 of the world (user index 42, user pointer 0) has the linear factor "
                     "(1.000000, 0.500000, 1.000000) and the angular factor (1.000000, 1.000000, "
                     "1.000000), but the PPU makes them part of"));
  body(2).setLinearFactor(btVector3(1, 1, 1));
  body(2).setAngularFactor(2);
  EXPECT_TRUE(begins(refusal_of_step<BulletUnsupported>(&world_), "body 2 of the world"));
}

TEST_F(Refusals, JointsThatSolveThemselves) {
  world_.add(new SelfMadeJoint(body(1), btVector3(0, 0, 0)));
  const std::string sentence = refusal_of_step<BulletUnsupported>(&world_);
  EXPECT_TRUE(begins(sentence, "joint 0x")) << sentence;
  EXPECT_TRUE(has(sentence, "of body 1 of the world")) << sentence;
  EXPECT_TRUE(has(sentence, "overrides btTypedConstraint::solveConstraintObsolete()")) << sentence;
}

TEST_F(Refusals, ConeTwistsThatSolveThemselves) {
  world_.add(new SelfMadeConeTwist(body(1), btTransform::getIdentity()));
  const std::string sentence = refusal_of_step<BulletUnsupported>(&world_);
  EXPECT_TRUE(begins(sentence, "joint 0x")) << sentence;
  EXPECT_TRUE(has(sentence, "of body 1 of the world")) << sentence;
  EXPECT_TRUE(has(sentence, "overrides btTypedConstraint::solveConstraintObsolete()")) << sentence;
}

TEST_F(Refusals, NotJointsWithRowsOfTheirOwn) {
  world_.add(new OwnRowsJoint(body(1), btVector3(0, 0, 0)));
  EXPECT_EQ(refusal_of_step<BulletUnsupported>(&world_), "");
}

TEST_F(Refusals, NotASelfMadeJointThatIsOff) {
  world_.add(new SelfMadeJoint(body(1), btVector3(0, 0, 0))).setEnabled(false);
  EXPECT_EQ(refusal_of_step<BulletUnsupported>(&world_), "");
}

TEST_F(Refusals, OtherRowSolvers) {
  const auto other = [](btSolverBody&, btSolverBody&, const btSolverConstraint&) -> btScalar {
    return 0;
  };
  world_.step();
  solver_.setConstraintRowSolverGeneric(other);
  EXPECT_TRUE(begins(refusal_of_step<BulletUnsupported>(&world_),
                     "Bullet's rows are not those of its scalar reference"));
  solver_.setConstraintRowSolverGeneric(solver_.getScalarConstraintRowSolverGeneric());
  EXPECT_EQ(refusal_of_step<BulletUnsupported>(&world_), "");
  solver_.setConstraintRowSolverLowerLimit(other);
  EXPECT_TRUE(begins(refusal_of_step<BulletUnsupported>(&world_),
                     "Bullet's rows are not those of its scalar reference"));
}

TEST_F(Refusals, AnInfiniteThreshold) {
  world_.settings().m_leastSquaresResidualThreshold = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(begins(refusal_of_step<BulletUnsupported>(&world_),
                     "m_leastSquaresResidualThreshold is infinite"));
}

TEST_F(Refusals, ContactsWithoutMassBeforeRollingFriction) {
  for (int i = 0; i < world_->getNumCollisionObjects(); ++i) body(i).setRollingFriction(0.3F);
  world_.settings().m_sor = 0;
  std::string sentence;
  for (int frame = 0; frame < 30 && sentence.empty(); ++frame)
    sentence = refusal_of_step<BulletUnsupported>(&world_);
  EXPECT_NE(sentence.find("is of a contact and has no effective mass"), std::string::npos)
      << sentence;
  world_.settings().m_leastSquaresResidualThreshold = -1;
  EXPECT_EQ(refusal_of_step<BulletUnsupported>(&world_), "") << "as the sentence says";
}

TEST_F(Refusals, NumbersThatAreNone) {
  world_.add(new btPoint2PointConstraint(body(1), btVector3(0, 0, 0)));
  body(1).setLinearVelocity(btVector3(0, std::numeric_limits<float>::quiet_NaN(), 0));
  const std::string sentence = refusal_of_step<SolveError>(&world_);
  EXPECT_TRUE(begins(sentence, "row 0: rate_bias has nan")) << sentence;
  EXPECT_TRUE(has(sentence, "that row is of the joint 0x")) << sentence;
  EXPECT_TRUE(has(sentence, "of body 1 of the world")) << sentence;
}

TEST_F(Refusals, NumbersThatOverflowOnTheDevice) {
  world_.add(new btPoint2PointConstraint(body(1), btVector3(0, 0, 0)));
  world_.add(new btPoint2PointConstraint(body(1), body(2), btVector3(0, 1, 0), btVector3(0, 0, 0)));
  body(1).setLinearVelocity(btVector3(0, 0, 3e38F));
  body(2).setLinearVelocity(btVector3(0, 0, -1e38F));
  const std::string sentence = refusal_of_step<SolveError>(&world_);
  EXPECT_NE(sentence.find("row"), std::string::npos) << sentence;
}

TEST_F(Refusals, BoundsThatCross) {
  auto& hinge = world_.add(new btHingeConstraint(body(1), body(2), btVector3(0, 0.5F, 0),
                                                 btVector3(0, -0.5F, 0), btVector3(0, 0, 1),
                                                 btVector3(0, 0, 1)));
  hinge.enableAngularMotor(true, 1, -2);
  const std::string sentence = refusal_of_step<SolveError>(&world_);
  EXPECT_NE(sentence.find("expected lower <= upper"), std::string::npos) << sentence;
}

TEST_F(Refusals, NegativeFriction) {
  body(1).setFriction(-0.5F);
  std::string sentence;
  for (int frame = 0; frame < 30 && sentence.empty(); ++frame)
    sentence = refusal_of_step<SolveError>(&world_);
  EXPECT_NE(sentence.find("friction is -0.25, expected a finite number >= 0"), std::string::npos)
      << sentence;
}

/// A group larger than the memories, which goes through the device in parts: a refusal in a later
/// part undoes the parts before.
TEST(Refusal, InTheMidstOfAnIterationLeavesNothing) {
  const char* const overrides[] = {"impulse_memory_rows=64", "row_memory_rows=64"};
  ppu_device_def def = ppu_default_device_def();
  def.backend = "functional";
  def.overrides = overrides;
  def.override_count = 2;
  btSequentialImpulseConstraintSolver engine;
  BulletConstraintSolver solver(def);
  EXPECT_EQ(solver.limits().rows, 64U);
  solver.on_refusal(BulletRefusal::kBullet);
  World expected(&engine), found(&solver);
  for (World* world : {&expected, &found})
    for (int i = 0; i < 3; ++i) test::build_towers(world);
  std::uint64_t by_bullet = 0, solves = 0;
  for (int frame = 0; frame < 30; ++frame) {
    for (World* world : {&expected, &found})
      btRigidBody::upcast((*world)->getCollisionObjectArray()[12])
          ->setFriction(frame % 2 == 0 ? -0.5F : 0.5F);
    expected.step();
    found.step();
    by_bullet += solver.last_report().by_bullet;
    solves += solver.last_report().solves;
    ASSERT_EQ(found.bits(), expected.bits()) << "frame " << frame;
  }
  EXPECT_GT(by_bullet, 0U);
  EXPECT_GT(solves, 0U);
}

TEST_F(Refusals, OtherArithmetic) {
  world_.step();
  std::fesetround(FE_UPWARD);
  std::string sentence = refusal_of_step<BulletUnsupported>(&world_);
  std::fesetround(FE_TONEAREST);
  EXPECT_TRUE(begins(sentence, "this thread rounds otherwise")) << sentence;
#ifdef __SSE2__
  // Results that are subnormal become 0; arguments that are do.
  for (const unsigned flag : {0x8000U, 0x0040U}) {
    const unsigned before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(before | flag);
    sentence = refusal_of_step<BulletUnsupported>(&world_);
    __builtin_ia32_ldmxcsr(before);
    EXPECT_TRUE(begins(sentence, "this thread rounds otherwise")) << sentence;
  }
#endif
  EXPECT_EQ(refusal_of_step<BulletUnsupported>(&world_), "");
}

/// A world on the PPU and the same on Bullet's own solver, with a body that the PPU refuses.
class RefusedGroup : public testing::Test {
 protected:
  void build(int bad_body) {
    for (World* world : {&expected_, &found_}) {
      test::build_towers(world);
      world->settings().m_minimumSolverBatchSize = 1;
      body(world, bad_body).setLinearFactor(btVector3(1, 0.5F, 1));
    }
  }
  static btRigidBody& body(World* world, int index) {
    return *btRigidBody::upcast((*world)->getCollisionObjectArray()[index]);
  }

  btSequentialImpulseConstraintSolver engine_;
  BulletConstraintSolver solver_{"functional"};
  World expected_{&engine_}, found_{&solver_};
};

TEST_F(RefusedGroup, LeavesTheOthersAsTheyAre) {
  constexpr int kBad = 4, kThirdTower = 8;
  build(kBad);
  for (int frame = 0; frame < 15; ++frame) {
    expected_.step();
    found_.step();
    EXPECT_EQ(solver_.last_report().refused, 1U);
    EXPECT_EQ(solver_.last_report().by_bullet, 0U);
    ASSERT_EQ(solver_.refusals().size(), 1U);
    EXPECT_TRUE(begins(solver_.refusals().front(), "body 4 of the world"));
    for (const int i : {1, 2, 3, kThirdTower, kThirdTower + 1})
      ASSERT_EQ(body(&found_, i).getWorldTransform().getOrigin(),
                body(&expected_, i).getWorldTransform().getOrigin())
          << "frame " << frame << ", body " << i;
  }
  EXPECT_LT(body(&found_, kBad).getLinearVelocity().y(), -1) << "gravity acts on it";
}

/// One velocity that is no number, in one tower of three: the others stand, and what is free falls.
TEST_F(RefusedGroup, OfAVelocityThatIsNoNumberLeavesTheOthersAsTheyAre) {
  constexpr int kBad = 4, kThirdTower = 8;
  btRigidBody* free = nullptr;
  for (World* world : {&expected_, &found_}) {
    test::build_towers(world);
    world->settings().m_minimumSolverBatchSize = 1;
    free = &world->add(new btSphereShape(0.5F), 1, btVector3(0, 50, 0));
    world->add(new btPoint2PointConstraint(body(world, kBad), btVector3(0, 0, 0)));
  }
  for (int frame = 0; frame < 15; ++frame) {
    body(&found_, kBad).setLinearVelocity(btVector3(0, std::numeric_limits<float>::quiet_NaN(), 0));
    expected_.step();
    found_.step();
    EXPECT_EQ(solver_.last_report().refused, 1U);
    ASSERT_EQ(solver_.refusals().size(), 1U);
    EXPECT_TRUE(has(solver_.refusals().front(), "of body 4 of the world"));
    for (const int i : {1, 2, 3, kThirdTower, kThirdTower + 1})
      ASSERT_EQ(body(&found_, i).getWorldTransform().getOrigin(),
                body(&expected_, i).getWorldTransform().getOrigin())
          << "frame " << frame << ", body " << i;
  }
  EXPECT_LT(free->getLinearVelocity().y(), -2);
}

TEST_F(RefusedGroup, HasBulletsBitsWhereBulletSolvesIt) {
  build(4);
  solver_.on_refusal(BulletRefusal::kBullet);
  for (int frame = 0; frame < 30; ++frame) {
    expected_.step();
    found_.step();
    EXPECT_EQ(solver_.last_report().by_bullet, 1U);
    ASSERT_EQ(found_.bits(), expected_.bits()) << "frame " << frame;
  }
}

/// The device refuses the rows in the midst of a random order, which begins anew.
TEST_F(RefusedGroup, BeginsAnewWhereBulletSolvesIt) {
  solver_.on_refusal(BulletRefusal::kBullet);
  build(1);
  for (World* world : {&expected_, &found_}) {
    body(world, 1).setLinearFactor(btVector3(1, 1, 1));
    world->settings().m_solverMode |= SOLVER_RANDMIZE_ORDER;
  }
  std::uint64_t by_bullet = 0;
  for (int frame = 0; frame < 30; ++frame) {
    for (World* world : {&expected_, &found_})
      body(world, 1).setFriction(frame % 2 == 0 ? -0.5F : 0.5F);
    expected_.step();
    found_.step();
    by_bullet += solver_.last_report().by_bullet;
    ASSERT_EQ(found_.bits(), expected_.bits()) << "frame " << frame;
  }
  EXPECT_GT(by_bullet, 0U);
}

TEST(Refusal, UnknownBackEnds) {
  EXPECT_THROW(BulletConstraintSolver("quantum"), Error);
}

}  // namespace
}  // namespace ppu
