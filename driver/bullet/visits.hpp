// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Which rows Bullet looks at in an iteration, in which order.
#pragma once

#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>
#include <BulletDynamics/ConstraintSolver/btSolverBody.h>
#include <BulletDynamics/ConstraintSolver/btSolverConstraint.h>

#include <array>
#include <cstdint>
#include <vector>

namespace ppu::bullet {

/// What a btSequentialImpulseConstraintSolver holds between set-up and finish.
struct Pools {
  btAlignedObjectArray<btSolverBody>& bodies;
  btConstraintArray& joints;
  btConstraintArray& contacts;
  btConstraintArray& friction;
  btConstraintArray& rolling;
  const btAlignedObjectArray<int>& joint_order;
  const btAlignedObjectArray<int>& contact_order;
  const btAlignedObjectArray<int>& friction_order;
};

enum class RowKind : std::uint8_t { kJoint, kContact, kFriction, kRolling };

/// A row in its turn. What the solver changes in it is mutable in Bullet, too.
struct Visit {
  const btSolverConstraint* row;
  RowKind kind;
  /// Place in the list of the contact whose impulse bounds a friction or rolling row, else -1.
  std::int32_t parent;
};

/// Calls add(row, kind, parent) for the rows of iteration `iteration`, from 0, in the order in
/// which solveSingleIteration() of Bullet 3.24 visits them; `parent` as in Visit. `contact_place`
/// is used for the place of each contact.
template <class Add>
void for_each_visit(const Pools& pools, const btContactSolverInfo& info, int iteration,
                    std::vector<std::int32_t>* contact_place, Add add) {
  std::int32_t places = 0;
  for (int i = 0; i < pools.joints.size(); ++i) {
    const btSolverConstraint& row = pools.joints[pools.joint_order[i]];
    if (iteration >= row.m_overrideNumSolverIterations) continue;
    add(row, RowKind::kJoint, -1);
    ++places;
  }
  if (iteration >= info.m_numIterations) return;

  contact_place->resize(static_cast<std::size_t>(pools.contacts.size()));
  const auto add_contact = [&](int turn) {
    const int contact = pools.contact_order[turn];
    (*contact_place)[static_cast<std::size_t>(contact)] = places;
    add(pools.contacts[contact], RowKind::kContact, -1);
    return places++;
  };
  const auto place_of = [&](const btSolverConstraint& row) {
    return (*contact_place)[static_cast<std::size_t>(row.m_frictionIndex)];
  };
  if ((info.m_solverMode & SOLVER_INTERLEAVE_CONTACT_AND_FRICTION_CONSTRAINTS) != 0) {
    // The friction rows of a turn are bounded by the contact of that turn, which in a random order
    // need not be their own.
    const int each = (info.m_solverMode & SOLVER_USE_2_FRICTION_DIRECTIONS) != 0 ? 2 : 1;
    for (int i = 0; i < pools.contacts.size(); ++i) {
      const std::int32_t parent = add_contact(i);
      for (int k = 0; k < each; ++k, ++places)
        add(pools.friction[pools.friction_order[i * each + k]], RowKind::kFriction, parent);
    }
  } else {
    for (int i = 0; i < pools.contacts.size(); ++i) add_contact(i);
    for (int i = 0; i < pools.friction.size(); ++i, ++places) {
      const btSolverConstraint& row = pools.friction[pools.friction_order[i]];
      add(row, RowKind::kFriction, place_of(row));
    }
  }
  for (int i = 0; i < pools.rolling.size(); ++i)
    add(pools.rolling[i], RowKind::kRolling, place_of(pools.rolling[i]));
}

/// The same for the contacts that split impulses push apart.
template <class Add>
void for_each_pushed(const Pools& pools, Add add) {
  for (int i = 0; i < pools.contacts.size(); ++i) {
    const btSolverConstraint& row = pools.contacts[pools.contact_order[i]];
    if (row.m_rhsPenetration != 0) add(row, RowKind::kContact, -1);
  }
}

/// The rows of an iteration as a list.
std::vector<Visit> visits_of(const Pools& pools, const btContactSolverInfo& info, int iteration);

/// The first iteration after `iteration` with other rows, or `last`.
int next_change(const Pools& pools, const btContactSolverInfo& info, int iteration, int last);

/// True if rows can move the body. The others read as standing still, which is what Bullet's rows
/// find as well: their impulses move them by 0.
bool can_move(const btSolverBody& body);

/// Numbers for the bodies that the rows of a list can move, in Bullet's order.
class BodyNumbers {
 public:
  BodyNumbers(const Pools& pools, const std::vector<Visit>& visits);

  /// -1 for a body that no row of the list can move.
  [[nodiscard]] std::int32_t of(int solver_body) const {
    return number_[static_cast<std::size_t>(solver_body)];
  }
  /// Number -> place in the pool.
  [[nodiscard]] const std::vector<int>& solver_bodies() const { return solver_bodies_; }

 private:
  std::vector<std::int32_t> number_;
  std::vector<int> solver_bodies_;
};

using Elements = std::array<float, 12>;  ///< Linear a, angular a, linear b, angular b.

/// Puts the three numbers of a vector behind `values`.
void append(const btVector3& vector, std::vector<float>* values);

Elements jacobian_of(const btSolverConstraint& row);
/// What Bullet multiplies by the change of the impulse and adds to the velocities: the linear
/// factor of a body is in both of its terms, the angular factor is made part of it.
Elements inv_mass_jacobian_of(const Pools& pools, const btSolverConstraint& row);

}  // namespace ppu::bullet
