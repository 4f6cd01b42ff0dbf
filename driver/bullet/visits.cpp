// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Bullet's order of rows.
#include "driver/bullet/visits.hpp"

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>

namespace ppu::bullet {
namespace {

void put(const btVector3& vector, float* elements) {
  std::copy_n(&vector[0], 3, elements);
}

using Half = std::array<float, 6>;  ///< Of one body: linear, angular.

Half inv_mass_half(const btSolverBody& body, const btVector3& normal, const btVector3& angular) {
  Half half{};
  if (body.m_originalBody == nullptr) return half;
  put(normal * body.internalGetInvMass() * body.m_linearFactor, half.data());
  put(angular * body.m_angularFactor, half.data() + 3);
  return half;
}

bool any(const btVector3& vector) {
  return vector[0] != 0 || vector[1] != 0 || vector[2] != 0;
}

}  // namespace

std::vector<Visit> visits_of(const Pools& pools, const btContactSolverInfo& info, int iteration) {
  std::vector<Visit> visits;
  std::vector<std::int32_t> contact_place;
  for_each_visit(pools, info, iteration, &contact_place,
                 [&visits](const btSolverConstraint& row, RowKind kind, std::int32_t parent) {
                   visits.push_back({&row, kind, parent});
                 });
  return visits;
}

int next_change(const Pools& pools, const btContactSolverInfo& info, int iteration, int last) {
  int next = last;
  const auto consider = [&](int end) {
    if (end > iteration) next = std::min(next, end);
  };
  consider(info.m_numIterations);
  for (int i = 0; i < pools.joints.size(); ++i)
    consider(pools.joints[i].m_overrideNumSolverIterations);
  return next;
}

bool can_move(const btSolverBody& body) {
  if (body.m_originalBody == nullptr) return false;
  if (any(body.internalGetInvMass() * body.m_linearFactor)) return true;
  return any(body.m_angularFactor) && any(body.m_originalBody->getInvInertiaDiagLocal());
}

BodyNumbers::BodyNumbers(const Pools& pools, const std::vector<Visit>& visits)
    : number_(static_cast<std::size_t>(pools.bodies.size()), -1) {
  for (const Visit& visit : visits)
    for (const int body : {visit.row->m_solverBodyIdA, visit.row->m_solverBodyIdB})
      number_[static_cast<std::size_t>(body)] = 0;
  for (int i = 0; i < pools.bodies.size(); ++i) {
    std::int32_t& number = number_[static_cast<std::size_t>(i)];
    if (number < 0) continue;
    number = can_move(pools.bodies[i]) ? static_cast<std::int32_t>(solver_bodies_.size()) : -1;
    if (number >= 0) solver_bodies_.push_back(i);
  }
}

void append(const btVector3& vector, std::vector<float>* values) {
  values->insert(values->end(), &vector[0], &vector[0] + 3);
}

Elements jacobian_of(const btSolverConstraint& row) {
  Elements elements;
  put(row.m_contactNormal1, elements.data());
  put(row.m_relpos1CrossNormal, elements.data() + 3);
  put(row.m_contactNormal2, elements.data() + 6);
  put(row.m_relpos2CrossNormal, elements.data() + 9);
  return elements;
}

Elements inv_mass_jacobian_of(const Pools& pools, const btSolverConstraint& row) {
  const Half a = inv_mass_half(pools.bodies[row.m_solverBodyIdA], row.m_contactNormal1,
                               row.m_angularComponentA);
  const Half b = inv_mass_half(pools.bodies[row.m_solverBodyIdB], row.m_contactNormal2,
                               row.m_angularComponentB);
  Elements elements;
  std::copy(b.begin(), b.end(), std::copy(a.begin(), a.end(), elements.begin()));
  return elements;
}

}  // namespace ppu::bullet
