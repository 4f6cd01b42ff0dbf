// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Every field of btContactSolverInfo and every bit of its m_solverMode, each on a scene of its
// kind.
#include "tests/driver/bullet/worlds.hpp"

namespace ppu::test {
namespace {

using Info = btContactSolverInfo;

template <class T>
std::function<void(Info*)> set(T btContactSolverInfoData::*field, T value) {
  return [field, value](Info* info) { info->*field = value; };
}

std::function<void(Info*)> flip(int bits) {
  return [bits](Info* info) { info->m_solverMode ^= bits; };
}

/// What Bullet 3.24's solver of rigid bodies looks at.
std::vector<Setting> fields_that_are_read() {
  return {
      {"m_damping", "HingeMotorsAndLimits", true, set(&Info::m_damping, 0.7F)},
      {"m_numIterations", "Defaults", true, set(&Info::m_numIterations, 3)},
      {"m_sor", "Defaults", true, set(&Info::m_sor, 1.3F)},
      {"m_erp", "SlidersSpringsAndBalls", true, set(&Info::m_erp, 0.6F)},
      {"m_erp2", "Overlapping", true, set(&Info::m_erp2, 0.5F)},
      {"m_globalCfm", "Defaults", true, set(&Info::m_globalCfm, 1e-3F)},
      {"m_frictionERP", "FrictionAnchors", true, set(&Info::m_frictionERP, 0.05F)},
      {"m_splitImpulse", "Overlapping", true, set(&Info::m_splitImpulse, 0)},
      {"m_splitImpulsePenetrationThreshold", "Overlapping", true,
       set(&Info::m_splitImpulsePenetrationThreshold, -0.2F)},
      {"m_splitImpulseTurnErp", "Overlapping", true, set(&Info::m_splitImpulseTurnErp, 0.7F)},
      {"m_linearSlop", "Defaults", true, set(&Info::m_linearSlop, 0.02F)},
      {"m_warmstartingFactor", "Defaults", true, set(&Info::m_warmstartingFactor, 0.3F)},
      {"m_minimumSolverBatchSize", "StopsEarly", true, set(&Info::m_minimumSolverBatchSize, 1)},
      {"m_maxGyroscopicForce", "Gyroscopes", true, set(&Info::m_maxGyroscopicForce, 0.01F)},
      {"m_leastSquaresResidualThreshold", "Defaults", true,
       set(&Info::m_leastSquaresResidualThreshold, 1e-3F)},
      {"m_restitutionVelocityThreshold", "Bouncing", true,
       set(&Info::m_restitutionVelocityThreshold, 3.0F)},
  };
}

/// What it does not look at: of other solvers, of earlier versions, or overwritten by the world.
std::vector<Setting> fields_that_are_not_read() {
  return {
      {"m_timeStep", "Defaults", false, set(&Info::m_timeStep, 0.5F)},
      {"m_tau", "Defaults", false, set(&Info::m_tau, 0.1F)},
      {"m_friction", "Defaults", false, set(&Info::m_friction, 0.9F)},
      {"m_restitution", "Bouncing", false, set(&Info::m_restitution, 0.9F)},
      {"m_maxErrorReduction", "Overlapping", false, set(&Info::m_maxErrorReduction, 0.1F)},
      {"m_deformable_erp", "Defaults", false, set(&Info::m_deformable_erp, 0.9F)},
      {"m_deformable_cfm", "Defaults", false, set(&Info::m_deformable_cfm, 0.9F)},
      {"m_deformable_maxErrorReduction", "Defaults", false,
       set(&Info::m_deformable_maxErrorReduction, 9.0F)},
      {"m_frictionCFM", "Defaults", false, set(&Info::m_frictionCFM, 0.1F)},
      {"m_articulatedWarmstartingFactor", "HingeMotorsAndLimits", false,
       set(&Info::m_articulatedWarmstartingFactor, 0.1F)},
      {"m_restingContactRestitutionThreshold", "Bouncing", false,
       set(&Info::m_restingContactRestitutionThreshold, 9)},
      {"m_singleAxisRollingFrictionThreshold", "RollingFriction", false,
       set(&Info::m_singleAxisRollingFrictionThreshold, 0.01F)},
      {"m_jointFeedbackInWorldSpace", "HingeMotorsAndLimits", false,
       set(&Info::m_jointFeedbackInWorldSpace, true)},
      {"m_jointFeedbackInJointFrame", "HingeMotorsAndLimits", false,
       set(&Info::m_jointFeedbackInJointFrame, true)},
      {"m_reportSolverAnalytics", "Defaults", false, set(&Info::m_reportSolverAnalytics, 1)},
      {"m_numNonContactInnerIterations", "HingeMotorsAndLimits", false,
       set(&Info::m_numNonContactInnerIterations, 5)},
  };
}

std::vector<Setting> modes() {
  return {
      {"SOLVER_RANDMIZE_ORDER", "Defaults", true, flip(SOLVER_RANDMIZE_ORDER)},
      {"SOLVER_FRICTION_SEPARATE", "Defaults", false, flip(SOLVER_FRICTION_SEPARATE)},
      {"SOLVER_USE_WARMSTARTING", "Defaults", true, flip(SOLVER_USE_WARMSTARTING)},
      {"SOLVER_USE_2_FRICTION_DIRECTIONS", "Defaults", true,
       flip(SOLVER_USE_2_FRICTION_DIRECTIONS)},
      {"SOLVER_ENABLE_FRICTION_DIRECTION_CACHING", "ConveyorBelt", true,
       flip(SOLVER_ENABLE_FRICTION_DIRECTION_CACHING)},
      {"SOLVER_DISABLE_VELOCITY_DEPENDENT_FRICTION_DIRECTION", "Defaults", true,
       flip(SOLVER_DISABLE_VELOCITY_DEPENDENT_FRICTION_DIRECTION)},
      {"SOLVER_CACHE_FRIENDLY", "Defaults", false, flip(SOLVER_CACHE_FRIENDLY)},
      {"SOLVER_SIMD", "Defaults", false, flip(SOLVER_SIMD)},
      {"SOLVER_INTERLEAVE_CONTACT_AND_FRICTION_CONSTRAINTS", "Defaults", true,
       flip(SOLVER_INTERLEAVE_CONTACT_AND_FRICTION_CONSTRAINTS)},
      {"SOLVER_ALLOW_ZERO_LENGTH_FRICTION_DIRECTIONS", "Defaults", false,
       flip(SOLVER_ALLOW_ZERO_LENGTH_FRICTION_DIRECTIONS)},
      {"SOLVER_DISABLE_IMPLICIT_CONE_FRICTION", "Defaults", false,
       flip(SOLVER_DISABLE_IMPLICIT_CONE_FRICTION)},
      {"SOLVER_USE_ARTICULATED_WARMSTARTING", "HingeMotorsAndLimits", false,
       flip(SOLVER_USE_ARTICULATED_WARMSTARTING)},
  };
}

}  // namespace

const std::vector<Setting>& settings() {
  static const std::vector<Setting> all = [] {
    std::vector<Setting> list = fields_that_are_read();
    for (const auto& more : {fields_that_are_not_read(), modes()})
      list.insert(list.end(), more.begin(), more.end());
    return list;
  }();
  return all;
}

Scene with(const Setting& setting) {
  Scene changed = scene(setting.scene);
  changed.build = [build = changed.build, change = setting.change](World* world) {
    build(world);
    change(&world->settings());
  };
  return changed;
}

}  // namespace ppu::test
