// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A scene: a Bullet world whose constraint solver the caller chooses, its bodies with their shapes,
// and a step of one frame. Scenes are built here and nowhere else: demos, tests and benchmarks
// share them. Units: m, kg, s; y is up.
#pragma once

#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>
#include <btBulletDynamicsCommon.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/scenes/random.hpp"

namespace ppu::scenes {

inline constexpr float kFrameSeconds = 1.0F / 60.0F;
inline constexpr float kGravity = 9.81F;  ///< m/s^2.

enum class ShapeKind { kBox, kSphere, kCapsule };

/// What a viewer needs to draw a body. Capsules stand along the body's y axis; their height is that
/// of the cylinder between the two half spheres.
struct Shape {
  ShapeKind kind = ShapeKind::kBox;
  std::array<float, 3> half_extents{};  ///< Of a box, in m.
  float radius = 0;                     ///< Of a sphere or a capsule, in m.
  float height = 0;                     ///< Of a capsule, in m.

  static Shape box(float x, float y, float z) { return {ShapeKind::kBox, {x, y, z}, 0, 0}; }
  static Shape sphere(float radius) { return {ShapeKind::kSphere, {}, radius, 0}; }
  static Shape capsule(float radius, float height) {
    return {ShapeKind::kCapsule, {}, radius, height};
  }
};

struct SceneBody {
  const btRigidBody* body;
  Shape shape;
  float mass;  ///< In kg; 0: it never moves.
};

/// Who the scene is, for people and for recorded problems.
struct SceneIdentity {
  std::string name;         ///< That it is asked for by: "wall10".
  std::string family;       ///< "wall".
  std::string params;       ///< "w=10 h=10 seed=1".
  std::string description;  ///< One sentence.
  std::uint64_t seed = 1;
};

using SolverPtr = std::unique_ptr<btSequentialImpulseConstraintSolver>;

class Scene {
 public:
  virtual ~Scene();
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  [[nodiscard]] const SceneIdentity& identity() const { return identity_; }
  /// Frames stepped so far.
  [[nodiscard]] std::uint32_t frame() const { return frame_; }
  /// One frame of kFrameSeconds, in one internal step.
  void step();

  [[nodiscard]] btDynamicsWorld& world() { return world_; }
  /// In the order in which they were made, those that never move among them.
  [[nodiscard]] const std::vector<SceneBody>& bodies() const { return bodies_; }

 protected:
  /// An empty world with gravity, the given solver, and Bullet's settings of a default world but
  /// for these: all islands go to the solver at once (a device is given whole frames), friction has
  /// two directions, penetration is corrected by the rows themselves (no split impulse).
  Scene(SceneIdentity identity, SolverPtr solver);

  [[nodiscard]] Random& random() { return random_; }

  /// A body at rest; of mass 0, one that never moves. Bodies never fall asleep: every frame has
  /// its rows.
  btRigidBody& add(const Shape& shape, float mass, const btTransform& place);
  btRigidBody& add(const Shape& shape, float mass, const btVector3& position) {
    return add(shape, mass, btTransform(btQuaternion::getIdentity(), position));
  }
  /// Adds a `Constraint(arguments...)`; bodies that are linked do not collide with each other.
  template <class Constraint, class... Arguments>
  Constraint& link(Arguments&&... arguments) {
    auto made = std::make_unique<Constraint>(std::forward<Arguments>(arguments)...);
    Constraint& constraint = *made;
    world_.addConstraint(made.get(), true);
    constraints_.push_back(std::move(made));
    return constraint;
  }
  /// The ground, its surface at y = 0, within a rim that keeps balls from rolling away.
  void add_ground();
  /// A ball whose roll dies down within a minute or so.
  btRigidBody& add_ball(float radius, float mass, const btVector3& position);
  /// A chain of `count` bars along x from `anchor`, each `pitch` long, joined by ball joints and
  /// hung up at the anchor; returns the last bar. Its end is at anchor.x + count * pitch.
  btRigidBody& add_chain(const btVector3& anchor, int count, float pitch, float mass);
  /// Hangs `body` on the end of the last bar of a chain; `grip` is in the body's own frame.
  void hang(btRigidBody& bar, float pitch, btRigidBody& body, const btVector3& grip);

 private:
  SceneIdentity identity_;
  Random random_;
  std::uint32_t frame_ = 0;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  SolverPtr solver_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> rigid_bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> constraints_;
  std::vector<SceneBody> bodies_;
  btDiscreteDynamicsWorld world_;  ///< Last: it goes before what it refers to.
};

}  // namespace ppu::scenes
