// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The impulse form against Bullet's own scalar row solver, bit for bit: on random rows, and sweep
// by sweep on whole shipped problems.
#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "base/bits/float_bits.hpp"
#include "model/arithmetic/control.hpp"
#include "model/reference/replay.hpp"
#include "tests/model/problems.hpp"

namespace ppu::model {
namespace {

static_assert(sizeof(btScalar) == sizeof(float), "Bullet must be the float build");

/// Velocities and masses are set per test; Bullet multiplies impulses by these two factors.
btSolverBody make_body(float inv_mass) {
  btSolverBody body;
  std::memset(static_cast<void*>(&body), 0, sizeof body);
  body.m_linearFactor.setValue(1, 1, 1);
  body.m_angularFactor.setValue(1, 1, 1);
  body.m_invMass.setValue(inv_mass, inv_mass, inv_mass);
  // Bullet takes a body without a rigid body behind it for a static one; it only tests the pointer.
  body.m_originalBody = reinterpret_cast<btRigidBody*>(&body);
  return body;
}

btVector3 vector_of(const float* values) {
  return {values[0], values[1], values[2]};
}

btSolverConstraint make_row(const RowOperands& in) {
  btSolverConstraint row;
  std::memset(static_cast<void*>(&row), 0, sizeof row);
  row.m_contactNormal1 = vector_of(in.jacobian);
  row.m_relpos1CrossNormal = vector_of(in.jacobian + 3);
  row.m_contactNormal2 = vector_of(in.jacobian + 6);
  row.m_relpos2CrossNormal = vector_of(in.jacobian + 9);
  row.m_angularComponentA = vector_of(in.inv_mass_jacobian + 3);
  row.m_angularComponentB = vector_of(in.inv_mass_jacobian + 9);
  row.m_rhs = in.bias;
  row.m_cfm = in.compliance;
  row.m_jacDiagABInv = in.inv_diagonal;
  row.m_lowerLimit = in.lower;
  row.m_upperLimit = in.upper;
  row.m_appliedImpulse = in.impulse;
  return row;
}

btSingleConstraintRowSolver bullet_solver() {
  static btSequentialImpulseConstraintSolver solver;
  return solver.getScalarConstraintRowSolverGeneric();
}

TEST(ImpulseForm, GivesBulletsBitsOnRandomRows) {
  constexpr unsigned kSeed = 20240607;
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<float> unit(-1.0F, 1.0F);
  RowControl control;
  control.form = spec::Form::kImpulse;
  const spec::ControlWord word = control_word(control);
  int clamped = 0;
  for (int count = 0; count < 200000; ++count) {
    const float mass[2] = {0.5F + 0.5F * unit(random), 0.5F + 0.5F * unit(random)};
    RowVector j, jm;
    RowOperands in{};
    in.jacobian = j.data();
    in.inv_mass_jacobian = jm.data();
    for (std::size_t k = 0; k < 12; ++k) {
      j[k] = unit(random);
      jm[k] = k % 6 < 3 ? j[k] * mass[k / 6] : unit(random);
      in.velocity[k] = 5.0F * unit(random);
    }
    in.bias = unit(random);
    in.inv_diagonal = 0.5F + 0.5F * unit(random);
    in.compliance = count % 2 == 0 ? 0.0F : 0.01F * unit(random);
    in.impulse = unit(random);
    in.lower = -1.5F;
    in.upper = 1.5F;
    const RowResult ours = update_row(word, in);

    btSolverBody a = make_body(mass[0]);
    btSolverBody b = make_body(mass[1]);
    a.m_deltaLinearVelocity = vector_of(&in.velocity[0]);
    a.m_deltaAngularVelocity = vector_of(&in.velocity[3]);
    b.m_deltaLinearVelocity = vector_of(&in.velocity[6]);
    b.m_deltaAngularVelocity = vector_of(&in.velocity[9]);
    const btSolverConstraint row = make_row(in);
    bullet_solver()(a, b, row);

    ASSERT_EQ(bits_of(ours.impulse), bits_of(row.m_appliedImpulse)) << "row " << count;
    for (int k = 0; k < 3; ++k) {
      const auto i = static_cast<std::size_t>(k);
      ASSERT_EQ(bits_of(ours.velocity[i]), bits_of(a.m_deltaLinearVelocity[k])) << "row " << count;
      ASSERT_EQ(bits_of(ours.velocity[3 + i]), bits_of(a.m_deltaAngularVelocity[k]))
          << "row " << count;
      ASSERT_EQ(bits_of(ours.velocity[6 + i]), bits_of(b.m_deltaLinearVelocity[k]))
          << "row " << count;
      ASSERT_EQ(bits_of(ours.velocity[9 + i]), bits_of(b.m_deltaAngularVelocity[k]))
          << "row " << count;
    }
    if (ours.impulse == in.lower || ours.impulse == in.upper) ++clamped;
  }
  EXPECT_GT(clamped, 10000);
  EXPECT_LT(clamped, 190000);
}

/// A whole problem on Bullet's bodies and rows, with Bullet's loop: friction bounds from the
/// parent, rows whose parent carries nothing skipped.
class BulletRun {
 public:
  explicit BulletRun(const RowProblem& p) : p_(p) {
    for (std::size_t k = 0; k < p.bodies(); ++k) {
      bodies_.push_back(make_body(p.inv_mass[k]));
      bodies_[k].m_deltaLinearVelocity = vector_of(&p.velocity_change[6 * k]);
      bodies_[k].m_deltaAngularVelocity = vector_of(&p.velocity_change[6 * k + 3]);
    }
    for (std::size_t i = 0; i < p.rows(); ++i) {
      RowOperands in{};
      in.jacobian = &p.jacobian[12 * i];
      in.inv_mass_jacobian = &p.inv_mass_jacobian[12 * i];
      in.bias = impulse_form_bias(p.rate_bias[i], p.inv_diagonal[i]);
      in.compliance = impulse_form_compliance(p.compliance[i], p.inv_diagonal[i]);
      in.inv_diagonal = p.inv_diagonal[i];
      in.lower = p.lower[i];
      in.upper = p.upper[i];
      in.impulse = p.impulse[i];
      rows_.push_back(make_row(in));
    }
  }

  void sweep() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (p_.parent[i] >= 0) {
        const float parent = rows_[static_cast<std::size_t>(p_.parent[i])].m_appliedImpulse;
        if (!(parent > 0)) continue;
        rows_[i].m_upperLimit = p_.friction[i] * parent;
        rows_[i].m_lowerLimit = -rows_[i].m_upperLimit;
      }
      bullet_solver()(body(i, 0), body(i, 1), rows_[i]);
    }
  }

  [[nodiscard]] float impulse(std::size_t i) const { return rows_[i].m_appliedImpulse; }
  [[nodiscard]] float velocity(std::size_t body, int k) const {
    return k < 3 ? bodies_[body].m_deltaLinearVelocity[k]
                 : bodies_[body].m_deltaAngularVelocity[k - 3];
  }

 private:
  btSolverBody& body(std::size_t row, std::size_t half) {
    const std::int32_t index = p_.body[row][half];
    return index < 0 ? world_ : bodies_[static_cast<std::size_t>(index)];
  }

  const RowProblem& p_;
  std::vector<btSolverBody> bodies_;
  std::vector<btSolverConstraint> rows_;
  btSolverBody world_ = make_body(0.0F);
};

class WholeProblem : public ::testing::TestWithParam<const char*> {};

TEST_P(WholeProblem, GivesBulletsBitsAfterEverySweep) {
  const RowProblem p = testing::shipped(GetParam());
  BulletRun bullet(p);
  SolveOptions options;
  for (options.sweeps = 1; options.sweeps <= 10; ++options.sweeps) {
    bullet.sweep();
    const Replay ours = replay(p, options, spec::Form::kImpulse);
    for (std::size_t i = 0; i < p.rows(); ++i) {
      ASSERT_EQ(bits_of(ours.impulse[i]), bits_of(bullet.impulse(i)))
          << "row " << i << " after sweep " << options.sweeps;
    }
    for (std::size_t k = 0; k < ours.velocity_change.size(); ++k) {
      ASSERT_EQ(bits_of(ours.velocity_change[k]),
                bits_of(bullet.velocity(k / 6, static_cast<int>(k % 6))))
          << "body " << k / 6 << " after sweep " << options.sweeps;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shipped, WholeProblem, ::testing::ValuesIn(testing::kShipped),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace ppu::model
