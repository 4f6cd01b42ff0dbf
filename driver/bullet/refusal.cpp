// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "driver/bullet/refusal.hpp"

#include <BulletDynamics/ConstraintSolver/btConeTwistConstraint.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include "driver/bullet/naming.hpp"
#include "ppu/bullet.h"

namespace ppu::bullet {
namespace {

static_assert(std::is_same<btScalar, float>::value, "The PPU computes in float32.");

/// The function that a call of solveConstraintObsolete() ends in. A pointer to a virtual member is
/// 1 + its offset in the table that an object begins with (Itanium C++ ABI, so GCC and Clang).
const void* obsolete_solver(const btTypedConstraint& joint) {
  const auto member = &btTypedConstraint::solveConstraintObsolete;
  std::ptrdiff_t offset;
  std::memcpy(&offset, &member, sizeof offset);
  const char* table;
  std::memcpy(&table, static_cast<const void*>(&joint), sizeof table);
  const void* function;
  std::memcpy(&function, table + offset - 1, sizeof function);
  return function;
}

/// A joint that overrides nothing of the kind.
class PlainJoint : public btTypedConstraint {
 public:
  PlainJoint() : btTypedConstraint(POINT2POINT_CONSTRAINT_TYPE, getFixedBody()) {}
  void getInfo1(btConstraintInfo1*) override {}
  void getInfo2(btConstraintInfo2*) override {}
  void setParam(int, btScalar, int) override {}
  [[nodiscard]] btScalar getParam(int, int) const override { return 0; }
  static btRigidBody& body() { return getFixedBody(); }
};

/// True if the joint solves itself, row by row or not, outside of the solver's rows.
bool solves_itself(const btTypedConstraint& joint) {
  static const void* const nothing = obsolete_solver(PlainJoint());
  // Bullet's cone twist has such code and in 3.24 no way to switch it on.
  static const void* const switched_off =
      obsolete_solver(btConeTwistConstraint(PlainJoint::body(), btTransform::getIdentity()));
  const void* const own = obsolete_solver(joint);
  return own != nothing && own != switched_off;
}

bool is_zero_or_one(const btVector3& factor) {
  for (int i = 0; i < 3; ++i)
    if (factor[i] != 0 && factor[i] != 1) return false;
  return true;
}

std::string text(const btVector3& vector) {
  return "(" + std::to_string(vector[0]) + ", " + std::to_string(vector[1]) + ", " +
         std::to_string(vector[2]) + ")";
}

}  // namespace

void refuse_settings(btTypedConstraint* const* constraints, int count,
                     const btContactSolverInfo& info) {
  if (std::isinf(info.m_leastSquaresResidualThreshold))
    throw BulletUnsupported(
        "m_leastSquaresResidualThreshold is infinite, but the PPU compares it with finite "
        "residuals; expected a finite number");
  for (int i = 0; i < count; ++i)
    if (constraints[i]->isEnabled() && solves_itself(*constraints[i]))
      throw BulletUnsupported(
          name_of(*constraints[i]) +
          " overrides btTypedConstraint::solveConstraintObsolete(), code that Bullet "
          "calls in every iteration, but the PPU does all iterations by itself; expected a joint "
          "that is made of rows (getInfo1() and getInfo2())");
}

void refuse_factors(const Pools& pools) {
  for (int i = 0; i < pools.bodies.size(); ++i) {
    const btSolverBody& body = pools.bodies[i];
    if (is_zero_or_one(body.m_linearFactor) && is_zero_or_one(body.m_angularFactor)) continue;
    throw BulletUnsupported(name_of(body) + " has the linear factor " + text(body.m_linearFactor) +
                            " and the angular factor " + text(body.m_angularFactor) +
                            ", but the PPU makes them part of M^-1 J^T, which gives Bullet's bits "
                            "for 0 and 1 alone; expected 0 or 1 in each element");
  }
}

void refuse_arithmetic() {
  // As another program that the compiler knows nothing about: nothing is computed beforehand.
  volatile float smallest = std::numeric_limits<float>::min();
  volatile float half = 0.5F, one = 1;
  volatile float subnormal = std::numeric_limits<float>::denorm_min();
  const bool keeps_subnormals = smallest * half != 0 && subnormal * one != 0;
  if (keeps_subnormals && std::fegetround() == FE_TONEAREST) return;
  throw BulletUnsupported(
      "this thread rounds otherwise than to the nearest, or takes subnormal numbers for 0, as a "
      "program linked with -ffast-math does, so that Bullet's bits are not those of the PPU; "
      "expected the usual arithmetic: link without -ffast-math, or call "
      "fesetenv(FE_DFL_ENV) before the step");
}

void refuse_forgotten(std::uint32_t row) {
  throw BulletUnsupported(
      "row " + std::to_string(row) +
      " is of a contact and has no effective mass, so that Bullet's residual begins anew behind "
      "it, which the PPU does for joints alone; expected an m_sor other than 0, or a negative "
      "m_leastSquaresResidualThreshold, with which Bullet tests nothing");
}

void refuse_row_solvers(bool scalar) {
  if (!scalar)
    throw BulletUnsupported(
        "Bullet's rows are not those of its scalar reference, since setConstraintRowSolver... was "
        "called or libBulletDynamics was built with SIMD rows, but the PPU has the bits of the "
        "scalar ones; expected Debian's build, with the row solvers that it sets itself");
}

}  // namespace ppu::bullet
