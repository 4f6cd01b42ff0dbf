// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Worlds for the settings of the solver: modes, thresholds, iterations.
#include "tests/driver/bullet/scene_builders.hpp"

namespace ppu::test {
namespace {

std::function<void(World*)> with(std::function<void(World*)> build,
                                 std::function<void(btContactSolverInfo*)> change) {
  return [build = std::move(build), change = std::move(change)](World* world) {
    build(world);
    change(&world->settings());
  };
}

std::function<void(World*)> with_mode(int mode, std::function<void(World*)> build = build_towers) {
  return with(std::move(build), [mode](btContactSolverInfo* info) { info->m_solverMode = mode; });
}

constexpr int kWarm = SOLVER_USE_WARMSTARTING | SOLVER_SIMD;
constexpr int kTwo = SOLVER_USE_2_FRICTION_DIRECTIONS;
constexpr int kInterleaved = SOLVER_INTERLEAVE_CONTACT_AND_FRICTION_CONSTRAINTS;

btSequentialImpulseConstraintSolver& solver_of(World* world) {
  return static_cast<btSequentialImpulseConstraintSolver&>(*(*world)->getConstraintSolver());
}

void reseed(World* world, int frame) {
  if (frame == 10) solver_of(world).setRandSeed(1234567);
  if (frame == 30) solver_of(world).reset();
}

}  // namespace

std::vector<Scene> solver_scenes() {
  const auto threshold = [](float squares) {
    return with(build_towers, [squares](btContactSolverInfo* info) {
      info->m_leastSquaresResidualThreshold = squares;
    });
  };
  const auto iterations = [](int count) {
    return with(build_towers,
                [count](btContactSolverInfo* info) { info->m_numIterations = count; });
  };
  return {
      {"Defaults", build_towers},
      {"TwoFrictionDirections", with_mode(kWarm | kTwo)},
      {"CachedFrictionDirections",
       with_mode(kWarm | kTwo | SOLVER_CACHE_FRIENDLY | SOLVER_ENABLE_FRICTION_DIRECTION_CACHING |
                 SOLVER_DISABLE_VELOCITY_DEPENDENT_FRICTION_DIRECTION)},
      {"Interleaved", with_mode(kWarm | kInterleaved)},
      {"InterleavedInTwoDirections", with_mode(kWarm | kInterleaved | kTwo)},
      {"InterleavedRolling", with_mode(kWarm | kInterleaved | kTwo, build_rolling)},
      {"RandomOrder", with_mode(kWarm | kTwo | SOLVER_RANDMIZE_ORDER)},
      {"RandomInterleavedOrder", with_mode(kWarm | kInterleaved | SOLVER_RANDMIZE_ORDER)},
      {"RandomOrderOfRolling", with_mode(kWarm | SOLVER_RANDMIZE_ORDER, build_rolling)},
      {"RandomOrderOfOverrides", with_mode(kWarm | SOLVER_RANDMIZE_ORDER, build_overrides)},
      {"WarmStartOff", with_mode(kTwo)},
      {"WholeWarmStart",
       with(build_towers, [](btContactSolverInfo* info) { info->m_warmstartingFactor = 1; })},
      {"SplitImpulseOff",
       with(build_overlapping, [](btContactSolverInfo* info) { info->m_splitImpulse = 0; })},
      {"SplitImpulseAlways", with(build_overlapping,
                                  [](btContactSolverInfo* info) {
                                    info->m_splitImpulsePenetrationThreshold = 0;
                                    info->m_leastSquaresResidualThreshold = 1e-3F;
                                  })},
      {"StopsAtOnce", threshold(1e4F)},
      {"StopsEarly", threshold(1e-2F)},
      {"StopsLate", threshold(1e-6F)},
      {"StopsNever", threshold(-1)},
      {"OneIteration", iterations(1)},
      {"NoIteration", iterations(0)},
      {"ManyIterations", iterations(100)},
      {"SmallBatches",
       with(build_towers, [](btContactSolverInfo* info) { info->m_minimumSolverBatchSize = 1; })},
      {"SoftContacts", with(build_towers,
                            [](btContactSolverInfo* info) {
                              info->m_globalCfm = 1e-4F;
                              info->m_frictionCFM = 1e-3F;
                              info->m_erp2 = 0.3F;
                              info->m_sor = 1.2F;
                            })},
      {"RollingFrictionToTheEnd",
       with(build_rolling,
            [](btContactSolverInfo* info) { info->m_leastSquaresResidualThreshold = -1; })},
      {"RandomOrderSeededAnew", with_mode(kWarm | SOLVER_RANDMIZE_ORDER), reseed},
      {"Empty", [](World*) {}},
      {"OneFallingBody", [](World* world) { world->add(box(), 1, btVector3(0, 9, 0)); }},
  };
}

}  // namespace ppu::test
