// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Worlds of what belongs to bodies, contact points and the solver object, and of the joints that
// scenes.cpp has not.
#include "worlds.hpp"

namespace ppu::test {
namespace {

btBoxShape* box(float half = 0.5F) {
  return new btBoxShape(btVector3(half, half, half));
}

btTransform at(float x) {
  return btTransform(btQuaternion::getIdentity(), btVector3(x, 0, 0));
}

btRigidBody& body(World* world, int index) {
  return *btRigidBody::upcast((*world)->getCollisionObjectArray()[index]);
}

/// Boxes on a slope that anchors hold where they touched it first.
void build_anchors(World* world) {
  build_towers(world);
  (*world)->setGravity(btVector3(4, -10, 1));
  for (int i = 1; i < (*world)->getNumCollisionObjects(); ++i)
    body(world, i).setCollisionFlags(body(world, i).getCollisionFlags() |
                                     btCollisionObject::CF_HAS_FRICTION_ANCHOR);
}

/// Contacts that a callback gives motion, directions, and softness of their own.
bool move_belt(btManifoldPoint& point, const btCollisionObjectWrapper*, int, int,
               const btCollisionObjectWrapper*, int, int) {
  point.m_contactPointFlags |= BT_CONTACT_FLAG_LATERAL_FRICTION_INITIALIZED |
                               BT_CONTACT_FLAG_HAS_CONTACT_CFM | BT_CONTACT_FLAG_HAS_CONTACT_ERP;
  point.m_lateralFrictionDir1 = btVector3(1, 0, 0);
  point.m_lateralFrictionDir2 = btVector3(0, 0, 1);
  point.m_contactMotion1 = 1.5F;
  point.m_contactMotion2 = -0.25F;
  point.m_frictionCFM = 0.01F;
  point.m_contactCFM = 1e-3F;
  point.m_contactERP = 0.4F;
  return true;
}

void build_belt(World* world) {
  gContactAddedCallback = move_belt;
  build_towers(world);
  world->settings().m_solverMode |=
      SOLVER_USE_2_FRICTION_DIRECTIONS | SOLVER_ENABLE_FRICTION_DIRECTION_CACHING;
  body(world, 0).setCollisionFlags(body(world, 0).getCollisionFlags() |
                                   btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
}

/// Gravity, damping and forces of each body's own.
void build_own_forces(World* world) {
  build_towers(world);
  body(world, 1).setGravity(btVector3(0, -30, 0));
  body(world, 2).setGravity(btVector3(1, -3, 2));
  body(world, 3).setFlags(BT_DISABLE_WORLD_GRAVITY);
  body(world, 3).setGravity(btVector3(0, 0, 0));
  body(world, 4).setDamping(0.3F, 0.6F);
}

void push(World* world, int) {
  body(world, 5).applyForce(btVector3(6, 0, 1), btVector3(0, 0.3F, 0));
  body(world, 6).applyTorqueImpulse(btVector3(0, 0.05F, 0));
}

/// A body and a joint that are there for a while only.
void build_coming_and_going(World* world) {
  build_towers(world);
  world->add(new btPoint2PointConstraint(body(world, 1), btVector3(0.5F, 0.5F, 0)));
}

void come_and_go(World* world, int frame) {
  if (frame == 20) (*world)->removeRigidBody(&body(world, 3));
  if (frame % 15 == 0) (*world)->getConstraint(0)->setEnabled(frame % 30 == 0);
}

btSequentialImpulseConstraintSolver& solver_of(World* world) {
  return static_cast<btSequentialImpulseConstraintSolver&>(*(*world)->getConstraintSolver());
}

void reseed(World* world, int frame) {
  if (frame == 10) solver_of(world).setRandSeed(1234567);
  if (frame == 30) solver_of(world).reset();
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

std::vector<Scene> more_scenes() {
  return {
      {"FrictionAnchors", build_anchors},
      {"ConveyorBelt", build_belt},
      {"ForcesOfTheirOwn", build_own_forces, push},
      {"BodiesAndJointsComeAndGo", build_coming_and_going, come_and_go},
      {"RandomOrderSeededAnew",
       [](World* world) {
         build_towers(world);
         world->settings().m_solverMode |= SOLVER_RANDMIZE_ORDER;
       },
       reseed},
      {"PairsOfOtherJoints", build_joint_pairs},
      rolling_without_mass("RollingWithoutInertia", hold, 0, 0),
      rolling_without_mass("RollingWithoutInertiaStopsEarly", hold, 1e-3F, 0),
      rolling_without_mass("RollingBesideIdleRows", idle, 1e-3F, 0),
      rolling_without_mass("RollingBesideIdleSoftRows", idle, 1e-3F, 1e-3F),
      rolling_without_mass("RollingBesideIdleRowsToTheEnd", idle, -1, 0),
  };
}

}  // namespace ppu::test
