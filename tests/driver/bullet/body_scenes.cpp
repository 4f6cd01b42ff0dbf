// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Worlds for what bodies can be: kinematic, locked, spinning, asleep, pushed, away.
#include "tests/driver/bullet/scene_builders.hpp"

namespace ppu::test {
namespace {

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

void build_sleeping(World* world) {
  build_towers(world);
  auto& objects = (*world)->getCollisionObjectArray();
  for (int i = 1; i < objects.size(); ++i) {
    btRigidBody::upcast(objects[i])->setSleepingThresholds(2, 2);
    objects[i]->setDeactivationTime(1.7F);
  }
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

}  // namespace

std::vector<Scene> body_scenes() {
  return {
      {"KinematicPlatform", build_platform, move_platform},
      {"ImmovableJoint", build_immovable_joint, move_platform},
      {"LockedAxes", build_locked_axes},
      {"Gyroscopes", build_gyroscopes},
      {"Sleeping", build_sleeping},
      {"ForcesOfTheirOwn", build_own_forces, push},
      {"BodiesAndJointsComeAndGo", build_coming_and_going, come_and_go},
  };
}

}  // namespace ppu::test
