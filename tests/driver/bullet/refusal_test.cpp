// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the plug-in refuses.
#include <gtest/gtest.h>

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
  Refusals() { test::build_towers(&world_); }
  btRigidBody& body(int index) {
    return *btRigidBody::upcast(world_->getCollisionObjectArray()[index]);
  }

  BulletConstraintSolver solver_{"functional"};
  World world_{&solver_};
};

TEST_F(Refusals, FactorsBetweenZeroAndOne) {
  body(2).setLinearFactor(btVector3(1, 0.5F, 1));
  EXPECT_TRUE(begins(refusal_of_step<BulletUnsupported>(&world_),
                     "a body has the linear factor (1.000000, 0.500000, 1.000000) and the angular "
                     "factor (1.000000, 1.000000, 1.000000), but the PPU makes them part of"));
  body(2).setLinearFactor(btVector3(1, 1, 1));
  body(2).setAngularFactor(2);
  EXPECT_TRUE(begins(refusal_of_step<BulletUnsupported>(&world_), "a body has the linear factor"));
}

TEST_F(Refusals, JointsThatSolveThemselves) {
  world_.add(new SelfMadeJoint(body(1), btVector3(0, 0, 0)));
  EXPECT_TRUE(
      begins(refusal_of_step<BulletUnsupported>(&world_),
             "joint 0 of the group overrides btTypedConstraint::solveConstraintObsolete()"));
}

TEST_F(Refusals, ConeTwistsThatSolveThemselves) {
  world_.add(new SelfMadeConeTwist(body(1), btTransform::getIdentity()));
  EXPECT_TRUE(
      begins(refusal_of_step<BulletUnsupported>(&world_),
             "joint 0 of the group overrides btTypedConstraint::solveConstraintObsolete()"));
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
  EXPECT_TRUE(begins(refusal_of_step<SolveError>(&world_), "row 0: rate_bias has nan"));
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

TEST(Refusal, GroupsThatDoNotFit) {
  const char* const overrides[] = {"impulse_memory_rows=64", "row_memory_rows=64"};
  ppu_device_def def = ppu_default_device_def();
  def.backend = "functional";
  def.overrides = overrides;
  def.override_count = 2;
  BulletConstraintSolver solver(def);
  World world(&solver);
  for (int i = 0; i < 3; ++i) test::build_towers(&world);
  std::string sentence;
  for (int frame = 0; frame < 30 && sentence.empty(); ++frame)
    sentence = refusal_of_step<SolveError>(&world);
  EXPECT_NE(sentence.find("impulse_memory_rows is 64"), std::string::npos) << sentence;
}

TEST(Refusal, UnknownBackEnds) {
  EXPECT_THROW(BulletConstraintSolver("quantum"), Error);
}

}  // namespace
}  // namespace ppu
