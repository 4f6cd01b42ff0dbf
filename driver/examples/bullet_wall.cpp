// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A program that uses Bullet, on the PPU: bullet_wall_plain.cpp with three other lines.
#include <btBulletDynamicsCommon.h>
#include <ppu/bullet.h>

#include <cstdio>
#include <deque>

int main() {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  ppu::BulletConstraintSolver solver("functional");
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);

  // The ground, six courses of bricks in running bond, and a ball in flight.
  btStaticPlaneShape ground(btVector3(0, 1, 0), 0);
  btBoxShape brick(btVector3(0.5F, 0.25F, 0.25F));
  btSphereShape ball(0.5F);
  std::deque<btRigidBody> bodies;
  const auto add = [&](float mass, btCollisionShape* shape, const btVector3& place) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(mass, inertia);
    bodies.emplace_back(mass, nullptr, shape, inertia).translate(place);
    world.addRigidBody(&bodies.back());
  };
  add(0, &ground, btVector3(0, 0, 0));
  for (int course = 0; course < 6; ++course) {
    for (int i = 0; i < 5; ++i) {
      const auto x = static_cast<float>(i) + 0.5F * static_cast<float>(course % 2);
      add(1, &brick, btVector3(x, 0.25F + 0.5F * static_cast<float>(course), 0));
    }
  }
  add(10, &ball, btVector3(2.5F, 1.5F, -5));
  bodies.back().setLinearVelocity(btVector3(0, 2, 20));

  for (int frame = 0; frame < 120; ++frame) world.stepSimulation(1.0F / 60, 0);

  // In hexadecimal: every bit counts.
  for (btRigidBody& body : bodies) {
    const btVector3& place = body.getCenterOfMassPosition();
    std::printf("%a %a %a\n", place.x(), place.y(), place.z());
    world.removeRigidBody(&body);
  }
  return 0;
}
