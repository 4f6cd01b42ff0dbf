// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A Bullet world that owns what is in it.

#include "base/bits/float_bits.hpp"
#include "tests/driver/bullet/worlds.hpp"

namespace ppu::test {
namespace {

void append(float value, std::vector<std::uint32_t>* bits) {
  bits->push_back(bits_of(value));
}

void append(const btVector3& vector, std::vector<std::uint32_t>* bits) {
  for (int i = 0; i < 3; ++i) append(vector[i], bits);
}

}  // namespace

World::World(btConstraintSolver* solver)
    : world_(std::make_unique<btDiscreteDynamicsWorld>(&dispatcher_, &broadphase_, solver,
                                                       &configuration_)) {
  set_up();
}

World::World(btConstraintSolverPoolMt* pool)
    : world_(std::make_unique<btDiscreteDynamicsWorldMt>(&dispatcher_, &broadphase_, pool, nullptr,
                                                         &configuration_)) {
  set_up();
}

void World::set_up() {
  world_->setGravity(btVector3(0, -10, 0));
  world_->setLatencyMotionStateInterpolation(false);
}

World::~World() {
  for (const auto& joint : joints_) world_->removeConstraint(joint.get());
  for (const auto& body : bodies_) world_->removeRigidBody(body.get());
}

btRigidBody& World::add(btCollisionShape* shape, float mass, const btVector3& place) {
  shapes_.emplace_back(shape);
  btVector3 inertia(0, 0, 0);
  if (mass > 0) shape->calculateLocalInertia(mass, inertia);
  btTransform transform;
  transform.setIdentity();
  transform.setOrigin(place);
  states_.emplace_back(new btDefaultMotionState(transform));
  bodies_.emplace_back(new btRigidBody(
      btRigidBody::btRigidBodyConstructionInfo(mass, states_.back().get(), shape, inertia)));
  world_->addRigidBody(bodies_.back().get());
  return *bodies_.back();
}

btRigidBody& World::add_ground(float friction) {
  btRigidBody& ground = add(new btBoxShape(btVector3(50, 1, 50)), 0, btVector3(0, -1, 0));
  ground.setFriction(friction);
  return ground;
}

std::vector<std::uint32_t> World::bits() const {
  std::vector<std::uint32_t> bits;
  for (const auto& body : bodies_) {
    const btTransform& transform = body->getWorldTransform();
    for (int i = 0; i < 3; ++i) append(transform.getBasis()[i], &bits);
    append(transform.getOrigin(), &bits);
    append(body->getLinearVelocity(), &bits);
    append(body->getAngularVelocity(), &bits);
    bits.push_back(static_cast<std::uint32_t>(body->getActivationState()));
  }
  for (int i = 0; i < world_->getDispatcher()->getNumManifolds(); ++i) {
    const btPersistentManifold& manifold = *world_->getDispatcher()->getManifoldByIndexInternal(i);
    for (int k = 0; k < manifold.getNumContacts(); ++k) {
      append(manifold.getContactPoint(k).m_appliedImpulse, &bits);
      append(manifold.getContactPoint(k).m_appliedImpulseLateral1, &bits);
      append(manifold.getContactPoint(k).m_appliedImpulseLateral2, &bits);
    }
  }
  for (const auto& joint : joints_) {
    append(joint->internalGetAppliedImpulse(), &bits);
    bits.push_back(joint->isEnabled() ? 1 : 0);
  }
  for (const auto& feedback : feedback_)
    for (const btVector3& each : {feedback->m_appliedForceBodyA, feedback->m_appliedTorqueBodyA,
                                  feedback->m_appliedForceBodyB, feedback->m_appliedTorqueBodyB})
      append(each, &bits);
  return bits;
}

}  // namespace ppu::test
