// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Recording the rows that Bullet solves itself.
#include <utility>

#include "driver/bullet/group_guard.hpp"
#include "driver/bullet/rows.hpp"

namespace ppu {

using Base = btSequentialImpulseConstraintSolver;
using bullet::Pools;

/// What the recorder has besides Bullet's own.
class BulletRowRecorder::Work {
 public:
  explicit Work(BulletRowRecorder* recorder) : self_(*recorder) {}

  [[nodiscard]] Pools pools() const {
    return {self_.m_tmpSolverBodyPool,
            self_.m_tmpSolverNonContactConstraintPool,
            self_.m_tmpSolverContactConstraintPool,
            self_.m_tmpSolverContactFrictionConstraintPool,
            self_.m_tmpSolverContactRollingFrictionConstraintPool,
            self_.m_orderNonContactConstraintPool,
            self_.m_orderTmpConstraintPool,
            self_.m_orderFrictionConstraintPool};
  }
  /// By value, since the observer may call observe().
  void hand_out(RowObserver to, const btContactSolverInfo& info) const {
    if (!to) return;
    const BulletRows rows = bullet::rows_of(pools(), info);
    if (rows.row_count() > 0) to(rows);
  }

  bullet::GroupGuard guard;
  RowObserver observer, answer;

 private:
  BulletRowRecorder& self_;
};

BulletRowRecorder::BulletRowRecorder(RowObserver observer, RowObserver answer)
    : work_(std::make_unique<Work>(this)) {
  observe(std::move(observer), std::move(answer));
}
BulletRowRecorder::~BulletRowRecorder() = default;

void BulletRowRecorder::observe(RowObserver observer, RowObserver answer) {
  work_->observer = std::move(observer);
  work_->answer = std::move(answer);
}

void BulletRowRecorder::prepareSolve(int body_count, int manifold_count) {
  work_->guard.begin_step();
  Base::prepareSolve(body_count, manifold_count);
}

void BulletRowRecorder::allSolved(const btContactSolverInfo& info, btIDebugDraw* drawer) {
  Base::allSolved(info, drawer);
  work_->guard.end_step();
}

btScalar BulletRowRecorder::solveGroup(btCollisionObject** bodies, int body_count,
                                       btPersistentManifold** manifolds, int manifold_count,
                                       btTypedConstraint** constraints, int constraint_count,
                                       const btContactSolverInfo& info, btIDebugDraw* drawer,
                                       btDispatcher* dispatcher) {
  work_->guard.run(work_->pools(), [&] {
    Base::solveGroup(bodies, body_count, manifolds, manifold_count, constraints, constraint_count,
                     info, drawer, dispatcher);
  });
  return 0;
}

btScalar BulletRowRecorder::solveGroupCacheFriendlySetup(
    btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
    int manifold_count, btTypedConstraint** constraints, int constraint_count,
    const btContactSolverInfo& info, btIDebugDraw* drawer) {
  const btScalar result = Base::solveGroupCacheFriendlySetup(
      bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info, drawer);
  work_->hand_out(work_->observer, info);
  return result;
}

btScalar BulletRowRecorder::solveGroupCacheFriendlyIterations(
    btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
    int manifold_count, btTypedConstraint** constraints, int constraint_count,
    const btContactSolverInfo& info, btIDebugDraw* drawer) {
  const btScalar residual = Base::solveGroupCacheFriendlyIterations(
      bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info, drawer);
  work_->hand_out(work_->answer, info);
  return residual;
}

}  // namespace ppu
