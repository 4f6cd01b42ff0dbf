// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A world for each kind of joint, and what can be set of it.
#include "tests/driver/bullet/scene_builders.hpp"

namespace ppu::test {
namespace {

btTransform frame(const btVector3& place, float turn = 0) {
  return btTransform(btQuaternion(btVector3(0, 0, 1), turn), place);
}

/// A chain of three boxes that hangs from the world by joints of the kind `join` makes.
void hang(World* world, const std::function<btTypedConstraint*(btRigidBody&, btRigidBody&)>& join) {
  world->add_ground();
  btRigidBody* above = &world->add(box(), 0, btVector3(0, 6, 0));
  for (int i = 1; i <= 3; ++i) {
    btRigidBody& below = world->add(box(0.4F), 1.0F + static_cast<float>(i),
                                    btVector3(1.2F * static_cast<float>(i), 6, 0.1F));
    world->add(join(*above, below));
    above = &below;
  }
  above->setLinearVelocity(btVector3(0, 2, 1));
}

void build_motors(World* world) {
  hang(world, [](btRigidBody& a, btRigidBody& b) {
    btHingeConstraint* const joint = hinge(a, b);
    joint->setLimit(-0.5F, 0.7F, 0.9F, 0.3F, 0.5F);
    joint->enableAngularMotor(true, 3, 0.4F);
    return joint;
  });
}

void build_cone_twists(World* world) {
  hang(world, [](btRigidBody& a, btRigidBody& b) {
    auto* const joint = new btConeTwistConstraint(a, b, frame(kRight), frame(kLeft));
    joint->setLimit(0.5F, 0.3F, 0.2F);
    joint->enableMotor(true);
    joint->setMaxMotorImpulse(0.05F);
    joint->setMotorTarget(btQuaternion(btVector3(0, 1, 0), 0.3F));
    return joint;
  });
}

void build_other_joints(World* world) {
  hang(world, [i = 0](btRigidBody& a, btRigidBody& b) mutable -> btTypedConstraint* {
    if (++i == 1) {
      auto* const slider = new btSliderConstraint(a, b, frame(kRight), frame(kLeft), true);
      slider->setLowerLinLimit(-0.3F);
      slider->setUpperLinLimit(0.4F);
      slider->setPoweredLinMotor(true);
      slider->setTargetLinMotorVelocity(1);
      slider->setMaxLinMotorForce(10);
      return slider;
    }
    if (i == 2) {
      auto* const spring =
          new btGeneric6DofSpring2Constraint(a, b, frame(kRight), frame(kLeft, 0.1F));
      spring->setLinearLowerLimit(btVector3(-0.2F, -0.2F, -0.2F));
      spring->setLinearUpperLimit(btVector3(0.2F, 0.2F, 0.2F));
      spring->setAngularLowerLimit(btVector3(-0.4F, 0, -1));
      spring->setAngularUpperLimit(btVector3(0.4F, 0, 1));
      spring->enableSpring(5, true);
      spring->setStiffness(5, 20);
      spring->setDamping(5, 0.5F);
      return spring;
    }
    return new btPoint2PointConstraint(a, b, kRight, kLeft);
  });
}

void build_soft_joints(World* world) {
  world->settings().m_globalCfm = 1e-3F;
  world->settings().m_erp = 0.1F;
  hang(world, [](btRigidBody& a, btRigidBody& b) {
    auto* const joint = new btPoint2PointConstraint(a, b, kRight, kLeft);
    joint->setParam(BT_CONSTRAINT_CFM, 0.01F, 0);
    joint->setParam(BT_CONSTRAINT_ERP, 0.4F, 1);
    return joint;
  });
}

void build_breaking(World* world) {
  hang(world, [](btRigidBody& a, btRigidBody& b) {
    btTypedConstraint* const joint = hinge(a, b);
    joint->setBreakingImpulseThreshold(1.5F);
    return joint;
  });
}

btTransform at(float x) {
  return btTransform(btQuaternion::getIdentity(), btVector3(x, 0, 0));
}

/// Pairs of boxes in the air, each with a joint of another class.
void build_joint_pairs(World* world) {
  (*world)->setGravity(btVector3(0, -1, 0));
  using Join = std::function<btTypedConstraint*(btRigidBody&, btRigidBody&)>;
  const Join joins[] = {
      [](auto& a, auto& b) { return new btFixedConstraint(a, b, at(0.6F), at(-0.6F)); },
      [](auto& a, auto& b) {
        return new btUniversalConstraint(a, b, btVector3(0.6F, 5, 0), btVector3(0, 1, 0),
                                         btVector3(0, 0, 1));
      },
      [](auto& a, auto& b) {
        btVector3 anchor(0.6F, 5, 12), up(0, 1, 0), side(0, 0, 1);
        return new btHinge2Constraint(a, b, anchor, up, side);
      },
      [](auto& a, auto& b) {
        auto* const joint = new btGeneric6DofConstraint(a, b, at(0.6F), at(-0.6F), true);
        joint->setAngularLowerLimit(btVector3(-0.2F, 0, -0.4F));
        joint->setAngularUpperLimit(btVector3(0.2F, 0, 0.4F));
        joint->getRotationalLimitMotor(0)->m_enableMotor = true;
        joint->getRotationalLimitMotor(0)->m_targetVelocity = 2;
        joint->getRotationalLimitMotor(0)->m_maxMotorForce = 5;
        return joint;
      },
      [](auto& a, auto& b) {
        auto* const joint = new btGeneric6DofSpringConstraint(a, b, at(0.6F), at(-0.6F), true);
        joint->setLinearLowerLimit(btVector3(-0.3F, 0, 0));
        joint->setLinearUpperLimit(btVector3(0.3F, 0, 0));
        joint->enableSpring(0, true);
        joint->setStiffness(0, 40);
        joint->setEquilibriumPoint(0, 0.2F);
        return joint;
      },
      [](auto& a, auto& b) {
        auto* const joint = new btHingeAccumulatedAngleConstraint(
            a, b, btVector3(0.6F, 0, 0), btVector3(-0.6F, 0, 0), btVector3(0, 0, 1),
            btVector3(0, 0, 1));
        joint->setLimit(-1, 1);
        return joint;
      },
      [](auto& a, auto& b) {
        return new btGearConstraint(a, b, btVector3(0, 0, 1), btVector3(0, 1, 0), 2);
      },
  };
  float z = 0;
  for (const Join& join : joins) {
    btRigidBody& a = world->add(box(), 1, btVector3(0, 5, z));
    btRigidBody& b = world->add(box(), 2, btVector3(1.2F, 5, z));
    a.setAngularVelocity(btVector3(0.4F, 0.2F, 2));
    b.setLinearVelocity(btVector3(0, 1, 0.3F));
    world->add(join(a, b));
    z += 6;
  }
}

}  // namespace

void build_overrides(World* world) {
  hang(world, [i = 0](btRigidBody& a, btRigidBody& b) mutable {
    btTypedConstraint* const joint = hinge(a, b);
    constexpr int kIterations[] = {25, 3, -1};
    joint->setOverrideNumSolverIterations(kIterations[i++]);
    return joint;
  });
  world->add(box(), 1, btVector3(-3, 0.5F, 0)).setLinearVelocity(btVector3(1, 0, 0));
}

std::vector<Scene> joint_scenes() {
  return {
      {"HingeMotorsAndLimits", build_motors},         {"ConeTwists", build_cone_twists},
      {"SlidersSpringsAndBalls", build_other_joints}, {"SoftJoints", build_soft_joints},
      {"IterationsOfTheirOwn", build_overrides},      {"BreakingJoints", build_breaking},
      {"PairsOfOtherJoints", build_joint_pairs},
  };
}

}  // namespace ppu::test
