// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// From Bullet's impulse form to the velocity form.
#include "driver/bullet/rows.hpp"

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>

namespace ppu {
namespace bullet {
namespace {

BulletRowKind kind_of(RowKind kind) {
  switch (kind) {
    case RowKind::kJoint:
      return BulletRowKind::kJoint;
    case RowKind::kContact:
      return BulletRowKind::kContact;
    default:
      return BulletRowKind::kFriction;
  }
}

/// The half of a body that cannot be moved is zero.
void append_elements(const Elements& elements, const std::array<std::int32_t, 2>& bodies,
                     std::vector<float>* values) {
  for (std::size_t i = 0; i < elements.size(); ++i)
    values->push_back(bodies[i / 6] < 0 ? 0.0F : elements[i]);
}

void append_row(const Pools& pools, const BodyNumbers& numbers, const Visit& visit,
                BulletRows* rows) {
  const btSolverConstraint& row = *visit.row;
  const float d = row.m_jacDiagABInv;
  rows->body.push_back({numbers.of(row.m_solverBodyIdA), numbers.of(row.m_solverBodyIdB)});
  rows->kind.push_back(kind_of(visit.kind));
  rows->parent.push_back(visit.parent);
  append_elements(jacobian_of(row), rows->body.back(), &rows->jacobian);
  append_elements(inv_mass_jacobian_of(pools, row), rows->body.back(), &rows->inv_mass_jacobian);
  rows->rate_bias.push_back(d != 0 ? -row.m_rhs / d : 0.0F);
  rows->inv_diagonal.push_back(d);
  rows->lower.push_back(row.m_lowerLimit);
  rows->upper.push_back(row.m_upperLimit);
  rows->friction.push_back(visit.parent >= 0 ? row.m_friction : 0.0F);
  rows->compliance.push_back(d != 0 ? row.m_cfm / d : 0.0F);
  rows->impulse.push_back(row.m_appliedImpulse);
  if (visit.kind == RowKind::kRolling) ++rows->rolling_rows;
}

void append_body(const btSolverBody& body, BulletRows* rows) {
  append(body.m_deltaLinearVelocity, &rows->velocity_change);
  append(body.m_deltaAngularVelocity, &rows->velocity_change);
  append(body.m_linearVelocity + body.m_externalForceImpulse, &rows->velocity_free);
  append(body.m_angularVelocity + body.m_externalTorqueImpulse, &rows->velocity_free);
  append(body.m_worldTransform.getOrigin(), &rows->position);
  rows->rigid_body.push_back(body.m_originalBody);
  rows->inv_mass.push_back(body.m_originalBody->getInvMass());
  for (int i = 0; i < 3; ++i)
    append(body.m_originalBody->getInvInertiaTensorWorld()[i], &rows->inv_inertia);
}

}  // namespace

BulletRows rows_of(const Pools& pools, const btContactSolverInfo& info) {
  const std::vector<Visit> visits = visits_of(pools, info, 0);
  const BodyNumbers numbers(pools, visits);
  BulletRows rows;
  for (const Visit& visit : visits) append_row(pools, numbers, visit, &rows);
  for (const int body : numbers.solver_bodies()) append_body(pools.bodies[body], &rows);
  rows.iterations = static_cast<std::uint32_t>(std::max(info.m_numIterations, 0));
  rows.time_step = info.m_timeStep;
  return rows;
}

}  // namespace bullet

ppu_problem BulletRows::view() const {
  static_assert(sizeof(std::array<std::int32_t, 2>) == sizeof(std::int32_t[2]));
  ppu_problem problem{};
  problem.row_count = row_count();
  problem.body_count = body_count();
  problem.body = reinterpret_cast<const std::int32_t(*)[2]>(body.data());
  problem.parent = parent.data();
  problem.jacobian = jacobian.data();
  problem.inv_mass_jacobian = inv_mass_jacobian.data();
  problem.rate_bias = rate_bias.data();
  problem.inv_diagonal = inv_diagonal.data();
  problem.lower = lower.data();
  problem.upper = upper.data();
  problem.friction = friction.data();
  problem.compliance = compliance.data();
  problem.impulse = impulse.data();
  problem.velocity_change = velocity_change.data();
  problem.inv_mass = inv_mass.data();
  problem.inv_inertia = inv_inertia.data();
  return problem;
}

}  // namespace ppu
