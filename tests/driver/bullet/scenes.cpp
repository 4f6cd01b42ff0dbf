// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A world for each thing that can be switched on.
#include <algorithm>
#include <stdexcept>

#include "worlds.hpp"

namespace ppu::test {
namespace {

btBoxShape* box(float half = 0.5F) {
  return new btBoxShape(btVector3(half, half, half));
}

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

const btVector3 kLeft(-0.6F, 0, 0);
const btVector3 kRight(0.6F, 0, 0);
const btVector3 kZ(0, 0, 1);

btHingeConstraint* hinge(btRigidBody& a, btRigidBody& b) {
  return new btHingeConstraint(a, b, kRight, kLeft, kZ, kZ);
}

void build_rolling(World* world) {
  btRigidBody& ground = world->add_ground();
  ground.setRollingFriction(0.3F);
  ground.setSpinningFriction(0.2F);
  // The bound of a rolling row is another one above an impulse of 1 N s.
  float mass = 0.5F;
  for (int i = 0; i < 4; ++i, mass *= 6) {
    btRigidBody& ball =
        world->add(new btSphereShape(0.5F), mass, btVector3(static_cast<float>(2 * i), 0.7F, 0));
    ball.setRollingFriction(0.2F);
    ball.setSpinningFriction(0.1F);
    ball.setLinearVelocity(btVector3(0.3F, 0, 3));
    ball.setAngularVelocity(btVector3(1, 20, 0));
  }
  btRigidBody& drum =
      world->add(new btCylinderShape(btVector3(0.5F, 0.4F, 0.5F)), 20, btVector3(-3, 1, 0));
  drum.setRollingFriction(0.1F);
  drum.setAnisotropicFriction(btVector3(1, 0.5F, 1),
                              btCollisionObject::CF_ANISOTROPIC_ROLLING_FRICTION);
  drum.setAngularVelocity(btVector3(0, 3, 3));
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

void build_overrides(World* world) {
  hang(world, [i = 0](btRigidBody& a, btRigidBody& b) mutable {
    btTypedConstraint* const joint = hinge(a, b);
    constexpr int kIterations[] = {25, 3, -1};
    joint->setOverrideNumSolverIterations(kIterations[i++]);
    return joint;
  });
  world->add(box(), 1, btVector3(-3, 0.5F, 0)).setLinearVelocity(btVector3(1, 0, 0));
}

void build_breaking(World* world) {
  hang(world, [](btRigidBody& a, btRigidBody& b) {
    btTypedConstraint* const joint = hinge(a, b);
    joint->setBreakingImpulseThreshold(1.5F);
    return joint;
  });
}

btRigidBody& add_platform(World* world) {
  btRigidBody& platform =
      world->add(new btBoxShape(btVector3(2, 0.2F, 2)), 0, btVector3(0, 0.2F, 0));
  platform.setCollisionFlags(platform.getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
  platform.setActivationState(DISABLE_DEACTIVATION);
  return platform;
}

void build_platform(World* world) {
  add_platform(world);
  world->add_ground();
  world->add(box(), 1, btVector3(0, 1, 0));
  world->add(box(), 2, btVector3(0.3F, 2.1F, 0.2F));
}

void move_platform(World* world, int at) {
  btTransform transform;
  transform.setIdentity();
  transform.setOrigin(btVector3(0.02F * static_cast<float>(at), 0.2F, 0));
  (*world)->getCollisionObjectArray()[0]->setWorldTransform(transform);
  btRigidBody::upcast((*world)->getCollisionObjectArray()[0])
      ->getMotionState()
      ->setWorldTransform(transform);
}

/// A hinge between two bodies that cannot be moved, of which Bullet makes no rows.
void build_immovable_joint(World* world) {
  btRigidBody& platform = add_platform(world);
  btRigidBody& ground = world->add_ground();
  world->add(new btHingeConstraint(platform, ground, kRight, kLeft, kZ, kZ), true);
  btRigidBody& hung = world->add(box(), 1, btVector3(0, 1, 0));
  world->add(new btPoint2PointConstraint(platform, hung, kRight, kLeft), true);
}

void build_locked_axes(World* world) {
  build_towers(world);
  auto& objects = (*world)->getCollisionObjectArray();
  for (int i = 1; i < objects.size(); ++i) {
    btRigidBody& body = *btRigidBody::upcast(objects[i]);
    body.setLinearFactor(btVector3(1, 1, i % 2 == 0 ? 0.0F : 1.0F));
    body.setAngularFactor(i % 3 == 0 ? btVector3(0, 0, 1) : btVector3(0, 0, 0));
  }
}

void build_gyroscopes(World* world) {
  world->add_ground();
  constexpr int kFlags[] = {BT_ENABLE_GYROSCOPIC_FORCE_EXPLICIT,
                            BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_WORLD,
                            BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY};
  for (int i = 0; i < 3; ++i) {
    btRigidBody& body = world->add(new btBoxShape(btVector3(0.1F, 0.3F, 0.6F)), 2,
                                   btVector3(static_cast<float>(3 * i), 0.9F, 0));
    body.setFlags(kFlags[i]);
    body.setAngularVelocity(btVector3(9, 0.2F, 5));
  }
}

/// Contacts that bounce, and some that are springs.
void build_bouncing(World* world) {
  world->add_ground().setRestitution(0.8F);
  for (int i = 0; i < 4; ++i) {
    btRigidBody& ball =
        world->add(new btSphereShape(0.4F), 1.0F + static_cast<float>(i),
                   btVector3(0.3F * static_cast<float>(i), 1.0F + static_cast<float>(i), 0));
    ball.setRestitution(0.7F);
    if (i % 2 == 0) ball.setContactStiffnessAndDamping(500, 10);
    ball.setAnisotropicFriction(btVector3(1, 0.2F, 0.5F));
  }
}

/// Boxes that begin inside one another.
void build_overlapping(World* world) {
  world->add_ground();
  for (int i = 0; i < 5; ++i)
    world->add(box(), 1.0F + static_cast<float>(i),
               btVector3(0.2F * static_cast<float>(i), 0.35F + 0.7F * static_cast<float>(i), 0.1F));
}

void build_sleeping(World* world) {
  build_towers(world);
  auto& objects = (*world)->getCollisionObjectArray();
  for (int i = 1; i < objects.size(); ++i) {
    btRigidBody::upcast(objects[i])->setSleepingThresholds(2, 2);
    objects[i]->setDeactivationTime(1.7F);
  }
}

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

std::function<void(World*)> with(std::function<void(World*)> build,
                                 std::function<void(btContactSolverInfo*)> change) {
  return [build = std::move(build), change = std::move(change)](World* world) {
    build(world);
    change(&world->settings());
  };
}

std::function<void(World*)> with_mode(int mode, std::function<void(World*)> build = build_towers) {
  return with(std::move(build), [mode](btContactSolverInfo* info) { info->m_solverMode = mode; });
}

constexpr int kWarm = SOLVER_USE_WARMSTARTING | SOLVER_SIMD;
constexpr int kTwo = SOLVER_USE_2_FRICTION_DIRECTIONS;
constexpr int kInterleaved = SOLVER_INTERLEAVE_CONTACT_AND_FRICTION_CONSTRAINTS;

std::vector<Scene> settings_scenes() {
  const auto threshold = [](float squares) {
    return with(build_towers, [squares](btContactSolverInfo* info) {
      info->m_leastSquaresResidualThreshold = squares;
    });
  };
  const auto iterations = [](int count) {
    return with(build_towers,
                [count](btContactSolverInfo* info) { info->m_numIterations = count; });
  };
  return {
      {"Defaults", build_towers},
      {"TwoFrictionDirections", with_mode(kWarm | kTwo)},
      {"CachedFrictionDirections",
       with_mode(kWarm | kTwo | SOLVER_CACHE_FRIENDLY | SOLVER_ENABLE_FRICTION_DIRECTION_CACHING |
                 SOLVER_DISABLE_VELOCITY_DEPENDENT_FRICTION_DIRECTION)},
      {"Interleaved", with_mode(kWarm | kInterleaved)},
      {"InterleavedInTwoDirections", with_mode(kWarm | kInterleaved | kTwo)},
      {"InterleavedRolling", with_mode(kWarm | kInterleaved | kTwo, build_rolling)},
      {"RandomOrder", with_mode(kWarm | kTwo | SOLVER_RANDMIZE_ORDER)},
      {"RandomInterleavedOrder", with_mode(kWarm | kInterleaved | SOLVER_RANDMIZE_ORDER)},
      {"RandomOrderOfRolling", with_mode(kWarm | SOLVER_RANDMIZE_ORDER, build_rolling)},
      {"RandomOrderOfOverrides", with_mode(kWarm | SOLVER_RANDMIZE_ORDER, build_overrides)},
      {"WarmStartOff", with_mode(kTwo)},
      {"WholeWarmStart",
       with(build_towers, [](btContactSolverInfo* info) { info->m_warmstartingFactor = 1; })},
      {"SplitImpulseOff",
       with(build_overlapping, [](btContactSolverInfo* info) { info->m_splitImpulse = 0; })},
      {"SplitImpulseAlways", with(build_overlapping,
                                  [](btContactSolverInfo* info) {
                                    info->m_splitImpulsePenetrationThreshold = 0;
                                    info->m_leastSquaresResidualThreshold = 1e-3F;
                                  })},
      {"StopsAtOnce", threshold(1e4F)},
      {"StopsEarly", threshold(1e-2F)},
      {"StopsLate", threshold(1e-6F)},
      {"StopsNever", threshold(-1)},
      {"OneIteration", iterations(1)},
      {"NoIteration", iterations(0)},
      {"ManyIterations", iterations(100)},
      {"SmallBatches",
       with(build_towers, [](btContactSolverInfo* info) { info->m_minimumSolverBatchSize = 1; })},
      {"SoftContacts", with(build_towers,
                            [](btContactSolverInfo* info) {
                              info->m_globalCfm = 1e-4F;
                              info->m_frictionCFM = 1e-3F;
                              info->m_erp2 = 0.3F;
                              info->m_sor = 1.2F;
                            })},
  };
}

std::vector<Scene> all_scenes() {
  std::vector<Scene> all = settings_scenes();
  const std::vector<Scene> things = {
      {"RollingFriction", build_rolling},
      {"RollingFrictionToTheEnd",
       with(build_rolling,
            [](btContactSolverInfo* info) { info->m_leastSquaresResidualThreshold = -1; })},
      {"HingeMotorsAndLimits", build_motors},
      {"ConeTwists", build_cone_twists},
      {"SlidersSpringsAndBalls", build_other_joints},
      {"SoftJoints", build_soft_joints},
      {"IterationsOfTheirOwn", build_overrides},
      {"BreakingJoints", build_breaking},
      {"KinematicPlatform", build_platform, move_platform},
      {"ImmovableJoint", build_immovable_joint, move_platform},
      {"WithoutInertia", with(build_without_inertia,
                              [](btContactSolverInfo* info) {
                                info->m_minimumSolverBatchSize = 1;
                                info->m_leastSquaresResidualThreshold = 1e-3F;
                              })},
      {"ForgottenResidual", build_forgotten_residual},
      {"LockedAxes", build_locked_axes},
      {"Gyroscopes", build_gyroscopes},
      {"Bouncing", build_bouncing},
      {"Overlapping", build_overlapping},
      {"Sleeping", build_sleeping},
      {"Settling", build_settling},
      {"Empty", [](World*) {}},
      {"OneFallingBody", [](World* world) { world->add(box(), 1, btVector3(0, 9, 0)); }},
  };
  for (const auto& more : {things, more_scenes()}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

void build_towers(World* world) {
  world->add_ground();
  for (int tower = 0; tower < 3; ++tower)
    for (int i = 0; i < 3 + tower; ++i) {
      const auto level = static_cast<float>(i);
      btRigidBody& body = world->add(box(), 1.0F + level,
                                     btVector3(static_cast<float>(4 * tower) + 0.1F * level,
                                               0.55F + 1.02F * level, 0.05F * level * level));
      body.setFriction(0.6F);
    }
}

const std::vector<Scene>& scenes() {
  static const std::vector<Scene> all = all_scenes();
  return all;
}

const Scene& scene(const std::string& name) {
  const auto found = std::find_if(scenes().begin(), scenes().end(),
                                  [&](const Scene& each) { return each.name == name; });
  if (found == scenes().end()) throw std::invalid_argument("there is no scene " + name);
  return *found;
}

}  // namespace ppu::test
