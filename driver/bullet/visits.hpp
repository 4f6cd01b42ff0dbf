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

/// The rows of iteration `iteration`, from 0, as solveSingleIteration() of Bullet 3.24 visits them.
std::vector<Visit> visits_of(const Pools& pools, const btContactSolverInfo& info, int iteration);

/// The first iteration after `iteration` with other rows, or `last`.
int next_change(const Pools& pools, const btContactSolverInfo& info, int iteration, int last);

/// The contacts that split impulses push apart.
std::vector<Visit> pushed_contacts(const Pools& pools);

/// Numbers for the bodies that rows can move, in Bullet's order. The others read as standing still,
/// which is what Bullet's rows find as well: their impulses move them by 0.
class BodyNumbers {
 public:
  BodyNumbers(const Pools& pools, const std::vector<Visit>& visits);

  /// -1 for a body that no row can move.
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

/// Puts the three numbers of a vector, or all elements, behind `values`.
void append(const btVector3& vector, std::vector<float>* values);
void append(const Elements& elements, std::vector<float>* values);

Elements jacobian_of(const btSolverConstraint& row);
/// What Bullet multiplies by the change of the impulse and adds to the velocities: the linear
/// factor of a body is in both of its terms, the angular factor is made part of it.
Elements inv_mass_jacobian_of(const Pools& pools, const btSolverConstraint& row);

}  // namespace ppu::bullet
