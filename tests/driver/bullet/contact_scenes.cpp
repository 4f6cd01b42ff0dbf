// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Worlds for what contacts can be: rolling, bouncing, deep, anchored, with a callback.
#include "tests/driver/bullet/scene_builders.hpp"

namespace ppu::test {
namespace {

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

}  // namespace

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

/// Boxes that begin inside one another.
void build_overlapping(World* world) {
  world->add_ground();
  for (int i = 0; i < 5; ++i)
    world->add(box(), 1.0F + static_cast<float>(i),
               btVector3(0.2F * static_cast<float>(i), 0.35F + 0.7F * static_cast<float>(i), 0.1F));
}

std::vector<Scene> contact_scenes() {
  return {
      {"RollingFriction", build_rolling}, {"Bouncing", build_bouncing},
      {"Overlapping", build_overlapping}, {"FrictionAnchors", build_anchors},
      {"ConveyorBelt", build_belt},
  };
}

}  // namespace ppu::test
