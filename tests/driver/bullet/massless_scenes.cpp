// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Worlds of rows whose residual is next to nothing, or none, as their d is 0.
#include "tests/driver/bullet/scene_builders.hpp"

namespace ppu::test {
namespace {

/// What is left becomes smaller than the square root of the smallest float.
void build_settling(World* world) {
  (*world)->setGravity(btVector3(0, 0, 0));
  btRigidBody* before = nullptr;
  for (int i = 0; i < 4; ++i) {
    btRigidBody& body = world->add(box(), 1, btVector3(static_cast<float>(2 * i), 0, 0));
    body.setActivationState(DISABLE_DEACTIVATION);
    body.setLinearVelocity(btVector3(0, i == 3 ? 1e-20F : 0.0F, 0));
    if (before != nullptr)
      world->add(
          new btPoint2PointConstraint(*before, body, btVector3(1, 0, 0), btVector3(-1, 0, 0)));
    before = &body;
  }
}

/// Angular rows whose d is 0, in front of other rows, and behind them.
void build_without_inertia(World* world) {
  world->add_ground();
  btRigidBody& fixed = world->add(box(), 0, btVector3(0, 4, 0));
  for (int i = 0; i < 2; ++i) {
    btRigidBody& body = world->add(box(), 1, btVector3(1.2F, 4, static_cast<float>(3 * i)));
    body.setMassProps(1, btVector3(0, 0, 0));
    body.updateInertiaTensor();
    world->add(hinge(fixed, body));
    if (i == 0) continue;
    btRigidBody& below = world->add(box(0.4F), 1, btVector3(1.2F, 2.6F, 3));
    world->add(
        new btPoint2PointConstraint(body, below, btVector3(0, -0.6F, 0), btVector3(0, 0.8F, 0)));
  }
}

/// A moving chain, then rows whose d is 0, then a joint at rest: Bullet looks at the last alone.
void build_forgotten_residual(World* world) {
  (*world)->setGravity(btVector3(0, 0, 0));
  btRigidBody* before = &world->add(box(), 0, btVector3(0, 0, 0));
  for (int i = 1; i <= 3; ++i) {
    btRigidBody& body = world->add(box(), 1, btVector3(static_cast<float>(2 * i), 0, 0));
    world->add(new btPoint2PointConstraint(*before, body, btVector3(1, 0, 0), btVector3(-1, 0, 0)));
    before = &body;
  }
  before->setLinearVelocity(btVector3(0, 1, 0));
  btRigidBody& weightless = world->add(box(), 1, btVector3(0, 9, 0));
  weightless.setMassProps(1, btVector3(0, 0, 0));
  weightless.updateInertiaTensor();
  btRigidBody& above = world->add(box(), 0, btVector3(0, 12, 0));
  world->add(hinge(above, weightless));
  btRigidBody& still = world->add(box(), 1, btVector3(0, -9, 0));
  world->add(new btPoint2PointConstraint(still, btVector3(0, 1, 0)));
}

/// A row that acts on nothing, so that its d is 0, and still has an impulse.
class IdleJoint : public btPoint2PointConstraint {
 public:
  using btPoint2PointConstraint::btPoint2PointConstraint;
  void getInfo1(btConstraintInfo1* info) override { info->m_numConstraintRows = 1; }
  void getInfo2(btConstraintInfo2* info) override {
    info->m_constraintError[0] = 0;
    info->m_lowerLimit[0] = 0.5F;
    info->m_upperLimit[0] = 0.75F;
  }
};

/// Rows whose d is 0 in front of rolling friction, and joints between them.
void build_rolling_without_mass(World* world, btTypedConstraint* (*join)(btRigidBody&)) {
  btRigidBody& ground = world->add_ground();
  ground.setRollingFriction(0.3F);
  btRigidBody& light = world->add(box(0.4F), 1, btVector3(0, 5, 0));
  light.setMassProps(1, btVector3(0, 0, 0));
  light.updateInertiaTensor();
  world->add(join(light));
  world->add(new btPoint2PointConstraint(light, btVector3(0, 0.2F, 0)));
  for (int i = 1; i <= 3; ++i) {
    btRigidBody& ball = world->add(new btSphereShape(0.5F), static_cast<float>(i),
                                   btVector3(static_cast<float>(2 * i), 0.52F, 0));
    ball.setRollingFriction(0.2F);
    ball.setSpinningFriction(0.1F);
    ball.setLinearVelocity(btVector3(0.3F, 0, 2));
    ball.setAngularVelocity(btVector3(1, 20, 0));
  }
}

btTypedConstraint* hold(btRigidBody& body) {
  return new btHingeConstraint(body, btVector3(0.6F, 0, 0), btVector3(0, 0, 1));
}

btTypedConstraint* idle(btRigidBody& body) {
  return new IdleJoint(body, btVector3(0, 0, 0));
}

/// The same with a threshold that lies among its residuals.
Scene rolling_without_mass(const std::string& name, btTypedConstraint* (*join)(btRigidBody&),
                           float threshold, float cfm) {
  return {name, [=](World* world) {
            build_rolling_without_mass(world, join);
            world->settings().m_leastSquaresResidualThreshold = threshold;
            world->settings().m_globalCfm = cfm;
          }};
}

}  // namespace

std::vector<Scene> massless_scenes() {
  return {
      {"Settling", build_settling},
      {"WithoutInertia",
       [](World* world) {
         build_without_inertia(world);
         world->settings().m_minimumSolverBatchSize = 1;
         world->settings().m_leastSquaresResidualThreshold = 1e-3F;
       }},
      {"ForgottenResidual", build_forgotten_residual},
      rolling_without_mass("RollingWithoutInertia", hold, 0, 0),
      rolling_without_mass("RollingWithoutInertiaStopsEarly", hold, 1e-3F, 0),
      rolling_without_mass("RollingBesideIdleRows", idle, 1e-3F, 0),
      rolling_without_mass("RollingBesideIdleSoftRows", idle, 1e-3F, 1e-3F),
      rolling_without_mass("RollingBesideIdleRowsToTheEnd", idle, -1, 0),
  };
}

}  // namespace ppu::test
