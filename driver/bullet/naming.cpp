// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "driver/bullet/naming.hpp"

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include "base/text/sentence.hpp"

namespace ppu::bullet {
namespace {

std::string name_of_body(const btRigidBody& body) {
  return text::sentence_of("body ", body.getWorldArrayIndex(), " of the world (user index ",
                           body.getUserIndex(), ", user pointer ", body.getUserPointer(), ")");
}

}  // namespace

std::string name_of(const btSolverBody& body) {
  return body.m_originalBody != nullptr ? name_of_body(*body.m_originalBody) : "what stands still";
}

std::string name_of(const btTypedConstraint& joint) {
  return text::sentence_of(
      "joint ", static_cast<const void*>(&joint), " (type ", int{joint.getConstraintType()},
      ", user id ", joint.getUserConstraintId(), ") of ", name_of_body(joint.getRigidBodyA()),
      " and ", name_of_body(joint.getRigidBodyB()));
}

std::string name_of(const Pools& pools, const btSolverConstraint& row, bool is_joint) {
  // Bullet keeps the joint where contacts have their point.
  if (is_joint) return name_of(*static_cast<const btTypedConstraint*>(row.m_originalContactPoint));
  return "contact of " + name_of(pools.bodies[row.m_solverBodyIdA]) + " and " +
         name_of(pools.bodies[row.m_solverBodyIdB]);
}

}  // namespace ppu::bullet
