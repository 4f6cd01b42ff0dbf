// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A program that uses Bullet, on the PPU: a box falls onto the ground and stays there.
#include "ppu/bullet.h"

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <cstdio>

int main() {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  ppu::BulletConstraintSolver solver("functional");
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);

  btBoxShape ground_shape(btVector3(10, 1, 10));
  btBoxShape box_shape(btVector3(0.5F, 0.5F, 0.5F));
  btVector3 inertia;
  box_shape.calculateLocalInertia(1, inertia);
  btRigidBody ground(0, nullptr, &ground_shape);
  btRigidBody box(1, nullptr, &box_shape, inertia);
  ground.translate(btVector3(0, -1, 0));
  box.translate(btVector3(0, 1, 0));
  world.addRigidBody(&ground);
  world.addRigidBody(&box);

  for (int frame = 0; frame < 60; ++frame) world.stepSimulation(1.0F / 60, 0);
  const float height = box.getCenterOfMassPosition().y();
  std::printf("the box is at %g m, %llu rows in the last step\n", static_cast<double>(height),
              static_cast<unsigned long long>(solver.last_report().rows));
  world.removeRigidBody(&box);
  world.removeRigidBody(&ground);
  return std::fabs(height - 0.5F) < 0.05F ? 0 : 1;
}
