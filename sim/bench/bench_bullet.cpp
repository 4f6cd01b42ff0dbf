// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Bullet's own scalar row solver on the rows of a problem, packed as Bullet packs them.
#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <LinearMath/btAlignedObjectArray.h>

#include <cmath>
#include <memory>

#include "sim/bench/bench.hpp"

namespace ppu::sim {
namespace {

btVector3 vector_at(const float* values) {
  return {values[0], values[1], values[2]};
}

class BulletRows {
 public:
  explicit BulletRows(const model::RowProblem& problem)
      : problem_(problem),
        solve_row_(btSequentialImpulseConstraintSolver().getScalarConstraintRowSolverGeneric()),
        dynamic_body_(1.0F, nullptr, nullptr) {
    // Bullet writes to a body only if it has a rigid body behind it; the last one is the world.
    for (std::size_t body = 0; body <= problem.bodies(); ++body) {
      btSolverBody& entry = bodies_.expandNonInitializing();
      entry.m_worldTransform.setIdentity();
      entry.m_angularFactor = entry.m_linearFactor = btVector3(1, 1, 1);
      entry.m_invMass = btVector3(0, 0, 0);
      entry.m_pushVelocity = entry.m_turnVelocity = btVector3(0, 0, 0);
      entry.m_deltaLinearVelocity = entry.m_deltaAngularVelocity = btVector3(0, 0, 0);
      entry.m_originalBody = body < problem.bodies() ? &dynamic_body_ : nullptr;
    }
    for (std::size_t row = 0; row < problem.rows(); ++row) pack(row);
  }

  Sample run(std::uint32_t sweeps) {
    reset();
    const int rows = rows_.size();
    const double begin = cpu_seconds();
    for (std::uint32_t sweep = 0; sweep < sweeps; ++sweep) {
      for (int i = 0; i < rows; ++i) update(rows_[i]);
    }
    return {cpu_seconds() - begin, sweeps * static_cast<std::uint64_t>(rows), 0};
  }

 private:
  int index(std::int32_t body) const { return body < 0 ? bodies_.size() - 1 : body; }

  void pack(std::size_t i) {
    const float* j = &problem_.jacobian[12 * i];
    const float* jm = &problem_.inv_mass_jacobian[12 * i];
    btSolverConstraint& row = rows_.expandNonInitializing();
    row.m_contactNormal1 = vector_at(j);
    row.m_relpos1CrossNormal = vector_at(j + 3);
    row.m_contactNormal2 = vector_at(j + 6);
    row.m_relpos2CrossNormal = vector_at(j + 9);
    row.m_angularComponentA = vector_at(jm + 3);
    row.m_angularComponentB = vector_at(jm + 9);
    row.m_jacDiagABInv = problem_.inv_diagonal[i];
    row.m_rhs = -problem_.rate_bias[i] * problem_.inv_diagonal[i];
    row.m_cfm = problem_.compliance[i] * problem_.inv_diagonal[i];
    row.m_lowerLimit = problem_.lower[i];
    row.m_upperLimit = problem_.upper[i];
    row.m_friction = problem_.friction[i];
    row.m_frictionIndex = problem_.parent[i];
    row.m_solverBodyIdA = index(problem_.body[i][0]);
    row.m_solverBodyIdB = index(problem_.body[i][1]);
    set_inverse_mass(problem_.body[i][0], j, jm);
    set_inverse_mass(problem_.body[i][1], j + 6, jm + 6);
  }

  /// 1/m is the ratio of the linear parts of JM and J, taken where J is largest.
  void set_inverse_mass(std::int32_t body, const float* j, const float* jm) {
    int k = 0;
    for (int axis = 1; axis < 3; ++axis) {
      if (std::fabs(j[axis]) > std::fabs(j[k])) k = axis;
    }
    if (body < 0 || j[k] == 0) return;
    const float inverse = jm[k] / j[k];
    bodies_[body].m_invMass = btVector3(inverse, inverse, inverse);
  }

  void reset() {
    for (int i = 0; i < rows_.size(); ++i) {
      rows_[i].m_appliedImpulse = problem_.impulse[static_cast<std::size_t>(i)];
      rows_[i].m_appliedPushImpulse = 0.0F;
    }
    for (std::size_t body = 0; body < problem_.bodies(); ++body) {
      btSolverBody& entry = bodies_[static_cast<int>(body)];
      entry.m_deltaLinearVelocity = vector_at(&problem_.velocity_change[6 * body]);
      entry.m_deltaAngularVelocity = vector_at(&problem_.velocity_change[6 * body + 3]);
    }
  }

  void update(btSolverConstraint& row) {
    if (row.m_frictionIndex >= 0) {
      const btScalar parent = rows_[row.m_frictionIndex].m_appliedImpulse;
      if (parent <= 0) return;
      row.m_upperLimit = row.m_friction * parent;
      row.m_lowerLimit = -row.m_upperLimit;
    }
    solve_row_(bodies_[row.m_solverBodyIdA], bodies_[row.m_solverBodyIdB], row);
  }

  const model::RowProblem& problem_;
  btSingleConstraintRowSolver solve_row_;
  btRigidBody dynamic_body_;
  btAlignedObjectArray<btSolverBody> bodies_;
  btAlignedObjectArray<btSolverConstraint> rows_;
};

}  // namespace

Contender bench_bullet(const model::RowProblem& problem) {
  auto solver = std::make_shared<BulletRows>(problem);
  return {"Bullet scalar rows", "sweeps", "cpu",
          [solver](std::uint32_t sweeps) { return solver->run(sweeps); }};
}

}  // namespace ppu::sim
