// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The solver as an object: its type, and worlds other than btDiscreteDynamicsWorld.
#include <gtest/gtest.h>

#include <cstring>

#include "ppu/bullet.h"
#include "tests/driver/bullet/worlds.hpp"

namespace ppu {
namespace {

using test::World;

TEST(Solver, IsASequentialImpulseSolver) {
  const BulletConstraintSolver solver("functional");
  EXPECT_EQ(solver.getSolverType(), BT_SEQUENTIAL_IMPULSE_SOLVER);
}

/// Two solvers of a kind in a pool, which deletes them.
template <class Make>
btConstraintSolverPoolMt* pool_of(Make make) {
  btConstraintSolver* solvers[] = {make(), make()};
  return new btConstraintSolverPoolMt(solvers, 2);
}

TEST(Solver, InAPoolOfTheWorldWithThreadsHasTheBitsOfBulletsOwn) {
  const std::unique_ptr<btConstraintSolverPoolMt> engines(
      pool_of([] { return new btSequentialImpulseConstraintSolver(); }));
  const std::unique_ptr<btConstraintSolverPoolMt> solvers(
      pool_of([] { return new BulletConstraintSolver("functional"); }));
  World expected(engines.get());
  World found(solvers.get());
  for (World* world : {&expected, &found}) {
    test::build_towers(world);
    world->settings().m_minimumSolverBatchSize = 1;
  }
  for (int frame = 0; frame < 60; ++frame) {
    expected.step();
    found.step();
    ASSERT_EQ(found.bits(), expected.bits()) << "frame " << frame;
  }
}

/// A world of contacts only, which calls the solver with all bodies and contacts at once.
class SimpleWorld {
 public:
  explicit SimpleWorld(btConstraintSolver* solver)
      : world_(&dispatcher_, &broadphase_, solver, &configuration_) {
    world_.setGravity(btVector3(0, -10, 0));
    world_.addRigidBody(&ground_);
    world_.addRigidBody(&ball_);
    ball_.setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, 0.6F, 0)));
    ball_.setLinearVelocity(btVector3(2, 0, 1));
  }
  ~SimpleWorld() {
    world_.removeRigidBody(&ball_);
    world_.removeRigidBody(&ground_);
  }
  SimpleWorld(const SimpleWorld&) = delete;
  SimpleWorld& operator=(const SimpleWorld&) = delete;

  void step() { world_.stepSimulation(1.0F / 60); }
  [[nodiscard]] btVector3 place() const { return ball_.getWorldTransform().getOrigin(); }

 private:
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSimpleDynamicsWorld world_;
  btStaticPlaneShape plane_{btVector3(0, 1, 0), 0};
  btSphereShape sphere_{0.5F};
  btRigidBody ground_{0, nullptr, &plane_};
  btRigidBody ball_{2, nullptr, &sphere_, btVector3(0.2F, 0.2F, 0.2F)};
};

TEST(Solver, InTheSimpleWorldHasTheBitsOfBulletsOwn) {
  btSequentialImpulseConstraintSolver engine;
  BulletConstraintSolver solver("functional");
  SimpleWorld expected(&engine);
  SimpleWorld found(&solver);
  for (int frame = 0; frame < 60; ++frame) {
    expected.step();
    found.step();
    const btVector3 a = expected.place();
    const btVector3 b = found.place();
    ASSERT_EQ(std::memcmp(&a, &b, 3 * sizeof(btScalar)), 0) << "frame " << frame;
  }
  EXPECT_GT(solver.last_report().rows, 0U);
  EXPECT_GT(found.place().x(), 1);
}

}  // namespace
}  // namespace ppu
