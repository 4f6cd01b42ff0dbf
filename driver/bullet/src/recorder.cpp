// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Recording the rows that Bullet solves itself.
#include <utility>

#include "rows.hpp"

namespace ppu {

BulletRowRecorder::BulletRowRecorder(RowObserver observer) : observer_(std::move(observer)) {
}

btScalar BulletRowRecorder::solveGroupCacheFriendlySetup(
    btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
    int manifold_count, btTypedConstraint** constraints, int constraint_count,
    const btContactSolverInfo& info, btIDebugDraw* drawer) {
  const btScalar result = btSequentialImpulseConstraintSolver::solveGroupCacheFriendlySetup(
      bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info, drawer);
  const BulletRows rows = bullet::rows_of(
      {m_tmpSolverBodyPool, m_tmpSolverNonContactConstraintPool, m_tmpSolverContactConstraintPool,
       m_tmpSolverContactFrictionConstraintPool, m_tmpSolverContactRollingFrictionConstraintPool,
       m_orderNonContactConstraintPool, m_orderTmpConstraintPool, m_orderFrictionConstraintPool},
      info);
  if (rows.row_count() > 0) observer_(rows);
  return result;
}

}  // namespace ppu
