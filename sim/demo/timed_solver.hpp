// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Bullet's own solver with a clock at the three parts of a group: what a user pays without a PPU.
#pragma once

#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>

#include <chrono>

namespace ppu::sim {

/// Host time in seconds.
struct EngineParts {
  double set_up = 0;      ///< Rows of contacts and joints, warm start.
  double iterations = 0;  ///< Which the PPU takes over.
  double finish = 0;      ///< Velocities to the bodies.

  [[nodiscard]] double whole() const { return set_up + iterations + finish; }
};

class TimedBulletSolver : public btSequentialImpulseConstraintSolver {
 public:
  void start_step() { parts_ = {}; }
  /// Since start_step().
  [[nodiscard]] const EngineParts& parts() const { return parts_; }

 protected:
  using Base = btSequentialImpulseConstraintSolver;

  btScalar solveGroupCacheFriendlySetup(btCollisionObject** bodies, int body_count,
                                        btPersistentManifold** manifolds, int manifold_count,
                                        btTypedConstraint** constraints, int constraint_count,
                                        const btContactSolverInfo& info,
                                        btIDebugDraw* drawer) override {
    return timed(parts_.set_up, [&] {
      return Base::solveGroupCacheFriendlySetup(bodies, body_count, manifolds, manifold_count,
                                                constraints, constraint_count, info, drawer);
    });
  }
  btScalar solveGroupCacheFriendlyIterations(btCollisionObject** bodies, int body_count,
                                             btPersistentManifold** manifolds, int manifold_count,
                                             btTypedConstraint** constraints, int constraint_count,
                                             const btContactSolverInfo& info,
                                             btIDebugDraw* drawer) override {
    return timed(parts_.iterations, [&] {
      return Base::solveGroupCacheFriendlyIterations(bodies, body_count, manifolds, manifold_count,
                                                     constraints, constraint_count, info, drawer);
    });
  }
  btScalar solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int body_count,
                                         const btContactSolverInfo& info) override {
    return timed(parts_.finish,
                 [&] { return Base::solveGroupCacheFriendlyFinish(bodies, body_count, info); });
  }

 private:
  template <class Part>
  static btScalar timed(double& seconds, Part part) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const btScalar result = part();
    seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    return result;
  }

  EngineParts parts_;
};

}  // namespace ppu::sim
