// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Recording the rows that Bullet solves itself.
#include <utility>

#include "rows.hpp"

namespace ppu {

BulletRowRecorder::BulletRowRecorder(RowObserver observer, RowObserver answer)
    : observer_(std::move(observer)), answer_(std::move(answer)) {
}

void BulletRowRecorder::observe(RowObserver observer, RowObserver answer) {
  observer_ = std::move(observer);
  answer_ = std::move(answer);
}

btScalar BulletRowRecorder::solveGroupCacheFriendlySetup(
    btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
    int manifold_count, btTypedConstraint** constraints, int constraint_count,
    const btContactSolverInfo& info, btIDebugDraw* drawer) {
  const btScalar result = btSequentialImpulseConstraintSolver::solveGroupCacheFriendlySetup(
      bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info, drawer);
  hand_out(observer_, info);
  return result;
}

btScalar BulletRowRecorder::solveGroupCacheFriendlyIterations(
    btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
    int manifold_count, btTypedConstraint** constraints, int constraint_count,
    const btContactSolverInfo& info, btIDebugDraw* drawer) {
  const btScalar residual = btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyIterations(
      bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info, drawer);
  hand_out(answer_, info);
  return residual;
}

void BulletRowRecorder::hand_out(const RowObserver& observer, const btContactSolverInfo& info) {
  if (!observer) return;
  const BulletRows rows = bullet::rows_of(
      {m_tmpSolverBodyPool, m_tmpSolverNonContactConstraintPool, m_tmpSolverContactConstraintPool,
       m_tmpSolverContactFrictionConstraintPool, m_tmpSolverContactRollingFrictionConstraintPool,
       m_orderNonContactConstraintPool, m_orderTmpConstraintPool, m_orderFrictionConstraintPool},
      info);
  if (rows.row_count() > 0) observer(rows);
}

}  // namespace ppu
