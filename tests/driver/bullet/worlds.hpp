// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Small Bullet worlds, built the same way around any constraint solver, and the bits of their
// state.
#pragma once

#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorldMt.h>
#include <btBulletDynamicsCommon.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ppu::test {

class World {
 public:
  /// `solver` must last as long as the world.
  explicit World(btConstraintSolver* solver);
  /// The world with threads, whose islands go to the solvers of the pool.
  explicit World(btConstraintSolverPoolMt* pool);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  btDiscreteDynamicsWorld& operator*() { return *world_; }
  btDiscreteDynamicsWorld* operator->() { return world_.get(); }
  btContactSolverInfo& settings() { return world_->getSolverInfo(); }

  /// A body of this shape at this place; mass 0 is static. The shape is the world's from now on.
  btRigidBody& add(btCollisionShape* shape, float mass, const btVector3& place);
  btRigidBody& add_ground(float friction = 0.5F);
  /// The joint is the world's from now on.
  template <class Joint>
  Joint& add(Joint* joint, bool collide = false) {
    joints_.emplace_back(joint);
    feedback_.emplace_back(new btJointFeedback());
    joint->setJointFeedback(feedback_.back().get());
    world_->addConstraint(joint, !collide);
    return *joint;
  }

  void step() { world_->stepSimulation(1.0F / 60, 0); }
  /// Transforms and velocities of all bodies, contact impulses, and the impulses and the feedback
  /// of all joints.
  [[nodiscard]] std::vector<std::uint32_t> bits() const;

 private:
  void set_up();

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  std::unique_ptr<btDiscreteDynamicsWorld> world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btMotionState>> states_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
  std::vector<std::unique_ptr<btJointFeedback>> feedback_;
};

/// What is in a world, and what happens in it before each frame.
struct Scene {
  std::string name;
  std::function<void(World*)> build;
  std::function<void(World*, int frame)> before_frame = [](World*, int) {};
};

inline void PrintTo(const Scene& scene, std::ostream* out) {
  *out << scene.name;
}

/// One for each thing that a user of Bullet may switch on.
const std::vector<Scene>& scenes();
const Scene& scene(const std::string& name);

/// A field of btContactSolverInfo or a bit of m_solverMode that is not as by default.
struct Setting {
  std::string name;
  std::string scene;  ///< Where it would show.
  bool read;          ///< By Bullet's own solver: the scene goes another way.
  std::function<void(btContactSolverInfo*)> change;
};
inline void PrintTo(const Setting& setting, std::ostream* out) {
  *out << setting.name;
}
const std::vector<Setting>& settings();
/// The scene of the setting, with it.
Scene with(const Setting& setting);

/// Bodies, shapes, masses, joints, factors and settings drawn from the seed.
Scene random_scene(std::uint32_t seed);
/// Such a world by other numbers than those of a seed.
using NumberSource = std::function<std::uint32_t()>;
void build_scene(World* world, const NumberSource& source);

/// Three towers of boxes on the ground.
void build_towers(World* world);

}  // namespace ppu::test
