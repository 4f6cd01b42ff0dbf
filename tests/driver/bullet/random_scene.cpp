// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Worlds by seed.
#include <cmath>
#include <random>

#include "tests/driver/bullet/worlds.hpp"

namespace ppu::test {
namespace {

class Draw {
 public:
  explicit Draw(NumberSource source) : source_(std::move(source)) {}

  std::uint32_t below(std::uint32_t count) { return source_() % count; }
  bool once_in(std::uint32_t count) { return below(count) == 0; }
  float between(float low, float high) {
    return low + (high - low) * (static_cast<float>(below(10001)) / 10000.0F);
  }
  btVector3 vector(float size) {
    const float x = between(-size, size);
    const float y = between(-size, size);
    return {x, y, between(-size, size)};
  }

 private:
  NumberSource source_;
};

btCollisionShape* draw_shape(Draw* draw) {
  const float size = draw->between(0.2F, 0.6F);
  switch (draw->below(4)) {
    case 0:
      return new btSphereShape(size);
    case 1:
      return new btCapsuleShape(size / 2, size);
    case 2:
      return new btCylinderShape(btVector3(size, size / 2, size));
    default:
      return new btBoxShape(btVector3(size, draw->between(0.2F, 0.6F), size));
  }
}

void draw_settings(Draw* draw, btContactSolverInfo* info) {
  const auto flag = [draw](int bits) { return draw->once_in(2) ? bits : 0; };
  info->m_solverMode = SOLVER_SIMD | flag(SOLVER_USE_WARMSTARTING) |
                       flag(SOLVER_USE_2_FRICTION_DIRECTIONS) |
                       flag(SOLVER_INTERLEAVE_CONTACT_AND_FRICTION_CONSTRAINTS) |
                       flag(SOLVER_ENABLE_FRICTION_DIRECTION_CACHING) |
                       flag(SOLVER_DISABLE_VELOCITY_DEPENDENT_FRICTION_DIRECTION);
  if (draw->once_in(4)) info->m_solverMode |= SOLVER_RANDMIZE_ORDER;
  info->m_numIterations = static_cast<int>(1 + draw->below(20));
  info->m_splitImpulse = draw->once_in(2) ? 1 : 0;
  constexpr float kThresholds[] = {0, 0, 1e-8F, 1e-4F, 1e-2F, -1};
  info->m_leastSquaresResidualThreshold = kThresholds[draw->below(6)];
  if (draw->once_in(3)) info->m_globalCfm = 1e-4F;
  constexpr int kBatches[] = {1, 16, 128};
  info->m_minimumSolverBatchSize = kBatches[draw->below(3)];
}

btRigidBody& draw_body(Draw* draw, World* world) {
  const float mass = std::exp(draw->between(-2, 4));
  const btVector3 place = draw->vector(2) + btVector3(0, 3, 0);
  btRigidBody& body = world->add(draw_shape(draw), mass, place);
  body.setLinearVelocity(draw->vector(3));
  body.setAngularVelocity(draw->vector(3));
  body.setFriction(draw->between(0, 1));
  body.setRestitution(draw->once_in(3) ? 0.5F : 0.0F);
  if (draw->once_in(3)) body.setRollingFriction(draw->between(0, 0.5F));
  if (draw->once_in(4)) body.setSpinningFriction(draw->between(0, 0.5F));
  if (draw->once_in(6)) body.setLinearFactor(btVector3(1, 1, 0));
  if (draw->once_in(6)) body.setAngularFactor(btVector3(0, 0, 1));
  return body;
}

btTypedConstraint* draw_joint(Draw* draw, btRigidBody& a, btRigidBody& b) {
  const btTransform in_a(btQuaternion::getIdentity(), draw->vector(0.5F));
  const btTransform in_b(btQuaternion::getIdentity(), draw->vector(0.5F));
  switch (draw->below(4)) {
    case 0: {
      auto* const joint = new btHingeConstraint(a, b, in_a, in_b);
      if (draw->once_in(2)) joint->setLimit(-0.5F, 0.5F);
      if (draw->once_in(2)) joint->enableAngularMotor(true, draw->between(-5, 5), 0.5F);
      return joint;
    }
    case 1: {
      auto* const joint = new btConeTwistConstraint(a, b, in_a, in_b);
      joint->setLimit(draw->between(0.1F, 1), draw->between(0.1F, 1), draw->between(0.1F, 1));
      return joint;
    }
    case 2: {
      auto* const joint = new btGeneric6DofSpring2Constraint(a, b, in_a, in_b);
      joint->setAngularLowerLimit(btVector3(-0.3F, -0.3F, 0));
      joint->setAngularUpperLimit(btVector3(0.3F, 0.3F, 0));
      return joint;
    }
    default:
      return new btPoint2PointConstraint(a, b, in_a.getOrigin(), in_b.getOrigin());
  }
}

void build(World* world, const NumberSource& source) {
  Draw draw(source);
  draw_settings(&draw, &world->settings());
  btRigidBody& ground = world->add_ground(draw.between(0.1F, 1));
  if (draw.once_in(2)) ground.setRollingFriction(0.2F);
  std::vector<btRigidBody*> bodies;
  for (std::uint32_t i = 2 + draw.below(10); i > 0; --i) bodies.push_back(&draw_body(&draw, world));
  for (std::uint32_t i = draw.below(6); i > 0; --i) {
    const auto a = draw.below(static_cast<std::uint32_t>(bodies.size()));
    const auto b = draw.below(static_cast<std::uint32_t>(bodies.size()));
    if (a == b) continue;
    btTypedConstraint& joint = world->add(draw_joint(&draw, *bodies[a], *bodies[b]));
    if (draw.once_in(4)) joint.setOverrideNumSolverIterations(static_cast<int>(draw.below(30)));
  }
}

}  // namespace

Scene random_scene(std::uint32_t seed) {
  // The same numbers with every library: std::mt19937 is specified, the distributions are not.
  return {"Seed" + std::to_string(seed), [seed](World* world) {
            build(world, [engine = std::mt19937(seed)]() mutable {
              return static_cast<std::uint32_t>(engine());
            });
          }};
}

void build_scene(World* world, const NumberSource& source) {
  build(world, source);
}

}  // namespace ppu::test
