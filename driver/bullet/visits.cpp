// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Bullet's order of rows.
#include "driver/bullet/visits.hpp"

#include <algorithm>

namespace ppu::bullet {
namespace {

class VisitList {
 public:
  VisitList(const Pools& pools, const btContactSolverInfo& info)
      : pools_(pools),
        friction_per_contact_((info.m_solverMode & SOLVER_USE_2_FRICTION_DIRECTIONS) != 0 ? 2 : 1),
        contact_place_(static_cast<std::size_t>(pools.contacts.size())) {}

  void add_joints(int iteration) {
    for (int i = 0; i < pools_.joints.size(); ++i) {
      const btSolverConstraint& row = pools_.joints[pools_.joint_order[i]];
      if (iteration < row.m_overrideNumSolverIterations) add(row, RowKind::kJoint, -1);
    }
  }
  void add_contacts() {
    for (int i = 0; i < pools_.contacts.size(); ++i) add_contact(i);
  }
  void add_friction() {
    for (int i = 0; i < pools_.friction.size(); ++i) {
      const btSolverConstraint& row = pools_.friction[pools_.friction_order[i]];
      add(row, RowKind::kFriction, place_of(row.m_frictionIndex));
    }
  }
  /// The friction rows of a turn are bounded by the contact of that turn, which in a random order
  /// need not be their own.
  void add_interleaved() {
    for (int i = 0; i < pools_.contacts.size(); ++i) {
      const std::int32_t parent = add_contact(i);
      for (int k = 0; k < friction_per_contact_; ++k)
        add(pools_.friction[pools_.friction_order[i * friction_per_contact_ + k]],
            RowKind::kFriction, parent);
    }
  }
  void add_rolling() {
    for (int i = 0; i < pools_.rolling.size(); ++i)
      add(pools_.rolling[i], RowKind::kRolling, place_of(pools_.rolling[i].m_frictionIndex));
  }

  std::vector<Visit> take() { return std::move(visits_); }

 private:
  std::int32_t add(const btSolverConstraint& row, RowKind kind, std::int32_t parent) {
    visits_.push_back({&row, kind, parent});
    return static_cast<std::int32_t>(visits_.size()) - 1;
  }
  std::int32_t add_contact(int turn) {
    const int contact = pools_.contact_order[turn];
    const std::int32_t place = add(pools_.contacts[contact], RowKind::kContact, -1);
    contact_place_[static_cast<std::size_t>(contact)] = place;
    return place;
  }
  [[nodiscard]] std::int32_t place_of(int contact) const {
    return contact_place_[static_cast<std::size_t>(contact)];
  }

  const Pools& pools_;
  int friction_per_contact_;
  std::vector<Visit> visits_;
  std::vector<std::int32_t> contact_place_;
};

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

bool moves(const Half& half) {
  return std::any_of(half.begin(), half.end(), [](float element) { return element != 0; });
}

}  // namespace

std::vector<Visit> visits_of(const Pools& pools, const btContactSolverInfo& info, int iteration) {
  VisitList list(pools, info);
  list.add_joints(iteration);
  if (iteration >= info.m_numIterations) return list.take();
  if ((info.m_solverMode & SOLVER_INTERLEAVE_CONTACT_AND_FRICTION_CONSTRAINTS) != 0) {
    list.add_interleaved();
  } else {
    list.add_contacts();
    list.add_friction();
  }
  list.add_rolling();
  return list.take();
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

std::vector<Visit> pushed_contacts(const Pools& pools) {
  std::vector<Visit> visits;
  for (int i = 0; i < pools.contacts.size(); ++i) {
    const btSolverConstraint& row = pools.contacts[pools.contact_order[i]];
    if (row.m_rhsPenetration != 0) visits.push_back({&row, RowKind::kContact, -1});
  }
  return visits;
}

BodyNumbers::BodyNumbers(const Pools& pools, const std::vector<Visit>& visits) {
  std::vector<bool> movable(static_cast<std::size_t>(pools.bodies.size()), false);
  const auto look = [&](int body, const btVector3& normal, const btVector3& angular) {
    const auto place = static_cast<std::size_t>(body);
    if (!movable[place]) movable[place] = moves(inv_mass_half(pools.bodies[body], normal, angular));
  };
  for (const Visit& visit : visits) {
    const btSolverConstraint& row = *visit.row;
    look(row.m_solverBodyIdA, row.m_contactNormal1, row.m_angularComponentA);
    look(row.m_solverBodyIdB, row.m_contactNormal2, row.m_angularComponentB);
  }
  for (int i = 0; i < pools.bodies.size(); ++i) {
    const bool numbered = movable[static_cast<std::size_t>(i)];
    number_.push_back(numbered ? static_cast<std::int32_t>(solver_bodies_.size()) : -1);
    if (numbered) solver_bodies_.push_back(i);
  }
}

void append(const btVector3& vector, std::vector<float>* values) {
  values->insert(values->end(), &vector[0], &vector[0] + 3);
}

void append(const Elements& elements, std::vector<float>* values) {
  values->insert(values->end(), elements.begin(), elements.end());
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
