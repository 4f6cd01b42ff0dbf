// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Worlds and bodies of scenes.
#include "sim/scenes/scene.hpp"

#include <limits>
#include <utility>

namespace ppu::scenes {
namespace {

constexpr float kGroundHalf = 60;  ///< Half the side of the ground, in m.
constexpr float kGroundDepth = 5;  ///< More than anything sinks in within a frame.
constexpr float kRimHeight = 4;
constexpr float kRollDamping = 0.3F;  ///< Share of the spin that a second takes, about.

std::unique_ptr<btCollisionShape> collision_shape(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return std::make_unique<btSphereShape>(shape.radius);
    case ShapeKind::kCapsule:
      return std::make_unique<btCapsuleShape>(shape.radius, shape.height);
    default:
      return std::make_unique<btBoxShape>(
          btVector3(shape.half_extents[0], shape.half_extents[1], shape.half_extents[2]));
  }
}

}  // namespace

Scene::Scene(SceneIdentity identity, SolverPtr solver)
    : identity_(std::move(identity)),
      random_(identity_.seed),
      dispatcher_(&configuration_),
      solver_(std::move(solver)),
      world_(&dispatcher_, &broadphase_, solver_.get(), &configuration_) {
  world_.setGravity(btVector3(0, -kGravity, 0));
  btContactSolverInfo& info = world_.getSolverInfo();
  info.m_minimumSolverBatchSize = std::numeric_limits<int>::max();
  info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
  info.m_splitImpulse = 0;
}

Scene::~Scene() {
  for (const auto& constraint : constraints_) world_.removeConstraint(constraint.get());
}

void Scene::step() {
  world_.stepSimulation(kFrameSeconds, 0);
  ++frame_;
}

btRigidBody& Scene::add(const Shape& shape, float mass, const btTransform& place) {
  shapes_.push_back(collision_shape(shape));
  btVector3 inertia(0, 0, 0);
  if (mass > 0) shapes_.back()->calculateLocalInertia(mass, inertia);
  btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shapes_.back().get(), inertia);
  info.m_startWorldTransform = place;
  rigid_bodies_.push_back(std::make_unique<btRigidBody>(info));
  btRigidBody& body = *rigid_bodies_.back();
  body.setActivationState(DISABLE_DEACTIVATION);
  bodies_.push_back({&body, shape, mass});
  world_.addRigidBody(&body);
  return body;
}

void Scene::add_ground() {
  const float half = kGroundHalf;
  add(Shape::box(half, kGroundDepth / 2, half), 0, btVector3(0, -kGroundDepth / 2, 0));
  for (const float side : {-1.0F, 1.0F}) {
    const float offset = side * (half + 1);
    add(Shape::box(1, kRimHeight / 2, half), 0, btVector3(offset, kRimHeight / 2, 0));
    add(Shape::box(half, kRimHeight / 2, 1), 0, btVector3(0, kRimHeight / 2, offset));
  }
}

btRigidBody& Scene::add_ball(float radius, float mass, const btVector3& position) {
  btRigidBody& ball = add(Shape::sphere(radius), mass, position);
  ball.setDamping(0, kRollDamping);
  return ball;
}

btRigidBody& Scene::add_chain(const btVector3& anchor, int count, float pitch, float mass) {
  constexpr float kGap = 0.02F;  // Between bars, in m.
  constexpr float kThickness = 0.05F;
  const btVector3 end(pitch / 2, 0, 0);
  btRigidBody* last = nullptr;
  for (int i = 0; i < count; ++i) {
    const btVector3 place = anchor + btVector3((static_cast<float>(i) + 0.5F) * pitch, 0, 0);
    btRigidBody& bar = add(Shape::box((pitch - kGap) / 2, kThickness, kThickness), mass, place);
    if (last == nullptr) {
      link<btPoint2PointConstraint>(bar, -end);
    } else {
      link<btPoint2PointConstraint>(*last, bar, end, -end);
    }
    last = &bar;
  }
  return *last;
}

void Scene::hang(btRigidBody& bar, float pitch, btRigidBody& body, const btVector3& grip) {
  link<btPoint2PointConstraint>(bar, body, btVector3(pitch / 2, 0, 0), grip);
}

}  // namespace ppu::scenes
