// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Bullet's solver with its iterations on a device: set-up and finish stay Bullet's own.
#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/base/stopwatch.hpp"
#include "driver/bullet/device_solver.hpp"
#include "driver/bullet/group_guard.hpp"
#include "driver/bullet/naming.hpp"
#include "driver/bullet/refusal.hpp"
#include "driver/bullet/rows.hpp"
#include "driver/bullet/saved_group.hpp"

namespace ppu {

using Base = btSequentialImpulseConstraintSolver;
using bullet::Bank;
using bullet::Iterated;
using bullet::Pools;
using bullet::StopRule;

namespace {

ppu_device_def def_of(const char* backend) {
  ppu_device_def def = ppu_default_device_def();
  def.backend = backend;
  return def;
}

}  // namespace

/// What the solver has besides Bullet's own.
class BulletConstraintSolver::Work {
 public:
  template <class Source>
  Work(BulletConstraintSolver* solver, const Source& source) : device(source), self_(*solver) {}

  [[nodiscard]] Pools pools() const;
  /// Bullet's loop over the joints that solve themselves does one more thing: it makes solver
  /// bodies of bodies that no row names.
  void add_bodies(btTypedConstraint** constraints, int count, const btContactSolverInfo& info);
  /// Iterations 0 to `most`, or until Bullet stops. Returns how many there were.
  int iterate(const btContactSolverInfo& info, int most);
  /// Calls `work`; false if the PPU does not do it, and the group has been refused.
  template <class Function>
  bool attempt(Function work);
  /// Everything as set-up has left it.
  void restore(unsigned long seed);
  /// Before the first iteration of a group that somebody looks at.
  void start_observing(const btContactSolverInfo& info);

  BulletRefusal policy = BulletRefusal::kGroup;
  std::vector<std::string> refusals;  ///< Of the step.
  bool refused = false;               ///< The group that is being solved,
  bool by_bullet = false;             ///< with Bullet's own iterations.
  bullet::SavedGroup saved;
  bullet::DeviceSolver device;
  bullet::GroupGuard guard;
  SolveObserver observer;
  bool profile_rows = false;
  BulletReport step;               ///< The groups since the step began.
  bullet::GroupResult group;       ///< The one that is being solved.
  std::optional<BulletRows> rows;  ///< Those of the group, where somebody looks at them.
  BulletProfile profile;           ///< What became of them.

 private:
  void refuse(const std::string& sentence);
  /// The sentence of the driver, with who the row is that it names.
  [[nodiscard]] std::string explained(const std::string& sentence) const;
  void shuffle(const btContactSolverInfo& info, int iteration);
  void shuffle(btAlignedObjectArray<int>* places);

  BulletConstraintSolver& self_;
  std::vector<std::int32_t> contact_place_;  ///< In use while rows are visited.
};

Pools BulletConstraintSolver::Work::pools() const {
  return {self_.m_tmpSolverBodyPool,
          self_.m_tmpSolverNonContactConstraintPool,
          self_.m_tmpSolverContactConstraintPool,
          self_.m_tmpSolverContactFrictionConstraintPool,
          self_.m_tmpSolverContactRollingFrictionConstraintPool,
          self_.m_orderNonContactConstraintPool,
          self_.m_orderTmpConstraintPool,
          self_.m_orderFrictionConstraintPool};
}

template <class Function>
bool BulletConstraintSolver::Work::attempt(Function work) {
  try {
    work();
    return true;
  } catch (const BulletUnsupported& refusal) {
    if (policy == BulletRefusal::kStep) throw;
    refuse(refusal.what());
  } catch (const SolveError& error) {
    const std::string sentence = explained(error.what());
    const bool is_of_group = error.result == PPU_ERROR_PROBLEM ||
                             error.result == PPU_ERROR_CAPACITY || error.result == PPU_ERROR_FAULT;
    if (!is_of_group || policy == BulletRefusal::kStep)
      throw SolveError(error.result, sentence, error.report);
    refuse(sentence);
  }
  return false;
}

void BulletConstraintSolver::Work::restore(unsigned long seed) {
  saved.restore(pools());
  self_.setRandSeed(seed);
  for (btAlignedObjectArray<int>* order :
       {&self_.m_orderNonContactConstraintPool, &self_.m_orderTmpConstraintPool,
        &self_.m_orderFrictionConstraintPool})
    for (int i = 0; i < order->size(); ++i) (*order)[i] = i;
}

void BulletConstraintSolver::Work::refuse(const std::string& sentence) {
  refusals.push_back(sentence);
  refused = true;
  rows.reset();
  group = {};
  group.report.refused = 1;
}

std::string BulletConstraintSolver::Work::explained(const std::string& sentence) const {
  unsigned row = 0;
  if (std::sscanf(sentence.c_str(), "row %u", &row) != 1 || row >= device.rows().visits())
    return sentence;
  return sentence + "; that row is of the " +
         name_of(pools(), device.rows().visit(row), row < device.rows().joints());
}

void BulletConstraintSolver::Work::add_bodies(btTypedConstraint** constraints, int count,
                                              const btContactSolverInfo& info) {
  if (info.m_numIterations <= 0) return;
  for (int i = 0; i < count; ++i) {
    if (!constraints[i]->isEnabled()) continue;
    self_.getOrInitSolverBody(constraints[i]->getRigidBodyA(), info.m_timeStep);
    self_.getOrInitSolverBody(constraints[i]->getRigidBodyB(), info.m_timeStep);
  }
}

int BulletConstraintSolver::Work::iterate(const btContactSolverInfo& info, int most) {
  const StopRule rule(info.m_leastSquaresResidualThreshold);
  const bool random = (info.m_solverMode & SOLVER_RANDMIZE_ORDER) != 0;
  for (int iteration = 0; iteration < most;) {
    driver::Stopwatch stopwatch;
    if (random) shuffle(info, iteration);
    const Pools all = pools();
    const int end = random ? iteration + 1 : next_change(all, info, iteration, most);
    if (end < most || !device.fits(all)) saved.save(all);
    group.report.convert_seconds += stopwatch.lap();
    const Iterated done = device.iterate(
        all, Bank::kVelocity, static_cast<std::uint32_t>(end - iteration), rule, &group,
        [&](auto add) { for_each_visit(all, info, iteration, &contact_place_, add); });
    self_.m_leastSquaresResidual = done.residual * done.residual;
    iteration += static_cast<int>(done.iterations);
    if (done.stops) return iteration;
  }
  return most;
}

/// As solveSingleIteration() of Bullet 3.24 does under SOLVER_RANDMIZE_ORDER.
void BulletConstraintSolver::Work::shuffle(const btContactSolverInfo& info, int iteration) {
  shuffle(&self_.m_orderNonContactConstraintPool);
  if (iteration >= info.m_numIterations) return;
  // m_orderTmpConstraintPool may be longer than there are contacts: the rest takes no part.
  self_.m_orderTmpConstraintPool.resize(self_.m_tmpSolverContactConstraintPool.size());
  shuffle(&self_.m_orderTmpConstraintPool);
  shuffle(&self_.m_orderFrictionConstraintPool);
}

void BulletConstraintSolver::Work::shuffle(btAlignedObjectArray<int>* places) {
  for (int i = 0; i < places->size(); ++i) places->swap(i, self_.btRandInt2(i + 1));
}

void BulletConstraintSolver::Work::start_observing(const btContactSolverInfo& info) {
  ppu_device_info of_device;
  check(ppu_device_get_info(device.device(), &of_device));
  rows = bullet::rows_of(pools(), info);
  group.profile.emplace(bullet::visits_of(pools(), info, 0), profile_rows && of_device.profiles);
}

BulletConstraintSolver::BulletConstraintSolver(const std::string& backend)
    : BulletConstraintSolver(def_of(backend.c_str())) {
}
BulletConstraintSolver::BulletConstraintSolver(const ppu_device_def& def)
    : work_(std::make_unique<Work>(this, def)) {
}
BulletConstraintSolver::BulletConstraintSolver(const Device& device)
    : BulletConstraintSolver(device.get()) {
}
BulletConstraintSolver::BulletConstraintSolver(ppu_device device)
    : work_(std::make_unique<Work>(this, device)) {
}
BulletConstraintSolver::~BulletConstraintSolver() = default;

ppu_device BulletConstraintSolver::device() const {
  return work_->device.device();
}
const BulletReport& BulletConstraintSolver::last_report() const {
  return work_->step;
}
void BulletConstraintSolver::observe(SolveObserver observer) {
  work_->observer = std::move(observer);
}
const std::vector<std::string>& BulletConstraintSolver::refusals() const {
  return work_->refusals;
}
void BulletConstraintSolver::on_refusal(BulletRefusal what) {
  work_->policy = what;
}
BulletLimits BulletConstraintSolver::limits() const {
  return work_->device.limits();
}
void BulletConstraintSolver::order(ppu_order order) {
  work_->device.order(order);
}
void BulletConstraintSolver::profile_rows(bool wanted) {
  work_->profile_rows = wanted;
}

void BulletConstraintSolver::prepareSolve(int body_count, int manifold_count) {
  work_->step = {};
  work_->refusals.clear();
  work_->guard.begin_step();
  Base::prepareSolve(body_count, manifold_count);
}

void BulletConstraintSolver::allSolved(const btContactSolverInfo& info, btIDebugDraw* drawer) {
  Base::allSolved(info, drawer);
  work_->guard.end_step();
}

btScalar BulletConstraintSolver::solveGroup(btCollisionObject** bodies, int body_count,
                                            btPersistentManifold** manifolds, int manifold_count,
                                            btTypedConstraint** constraints, int constraint_count,
                                            const btContactSolverInfo& info, btIDebugDraw* drawer,
                                            btDispatcher* dispatcher) {
  work_->guard.run(work_->pools(), [&] {
    work_->group = {};
    work_->refused = false;
    work_->rows.reset();
    Base::solveGroup(bodies, body_count, manifolds, manifold_count, constraints, constraint_count,
                     info, drawer, dispatcher);
    work_->step += work_->group.report;
    if (!work_->rows || work_->rows->row_count() == 0) return;
    // A copy, since the observer may call observe().
    const SolveObserver observer = work_->observer;
    observer(*work_->rows, work_->group.report, work_->profile);
  });
  return 0;
}

btScalar BulletConstraintSolver::solveGroupCacheFriendlySetup(
    btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
    int manifold_count, btTypedConstraint** constraints, int constraint_count,
    const btContactSolverInfo& info, btIDebugDraw* drawer) {
  driver::Stopwatch stopwatch;
  Base::solveGroupCacheFriendlySetup(bodies, body_count, manifolds, manifold_count, constraints,
                                     constraint_count, info, drawer);
  const bool possible = work_->attempt([&] {
    bullet::refuse_arithmetic();
    bullet::refuse_settings(constraints, constraint_count, info);
    // Set-up may have changed the row solvers.
    bullet::refuse_row_solvers(
        m_resolveSingleConstraintRowGeneric == getScalarConstraintRowSolverGeneric() &&
        m_resolveSingleConstraintRowLowerLimit == getScalarConstraintRowSolverLowerLimit());
    bullet::refuse_factors(work_->pools());
  });
  if (!possible) return 0;
  work_->group.report.groups = 1;
  work_->group.report.rows = static_cast<std::uint64_t>(
      m_tmpSolverNonContactConstraintPool.size() + m_tmpSolverContactConstraintPool.size() +
      m_tmpSolverContactFrictionConstraintPool.size() +
      m_tmpSolverContactRollingFrictionConstraintPool.size());
  work_->group.report.set_up_seconds = stopwatch.lap();
  if (work_->observer) work_->start_observing(info);
  return 0;
}

void BulletConstraintSolver::solveGroupCacheFriendlySplitImpulseIterations(
    btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
    int manifold_count, btTypedConstraint** constraints, int constraint_count,
    const btContactSolverInfo& info, btIDebugDraw* drawer) {
  if (work_->by_bullet)
    return Base::solveGroupCacheFriendlySplitImpulseIterations(
        bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info, drawer);
  if (!info.m_splitImpulse || info.m_numIterations <= 0) return;
  const Pools all = work_->pools();
  work_->device.iterate(all, Bank::kPush, static_cast<std::uint32_t>(info.m_numIterations),
                        StopRule(info.m_leastSquaresResidualThreshold), &work_->group,
                        [&all](auto add) { bullet::for_each_pushed(all, add); });
}

btScalar BulletConstraintSolver::solveGroupCacheFriendlyIterations(
    btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
    int manifold_count, btTypedConstraint** constraints, int constraint_count,
    const btContactSolverInfo& info, btIDebugDraw* drawer) {
  driver::Stopwatch stopwatch;
  const int most = std::max<int>(m_maxOverrideNumSolverIterations, info.m_numIterations);
  int iterations = 0;
  if (!work_->refused) {
    const unsigned long seed = getRandSeed();
    work_->saved.begin();
    const bool done = work_->attempt([&] {
      solveGroupCacheFriendlySplitImpulseIterations(bodies, body_count, manifolds, manifold_count,
                                                    constraints, constraint_count, info, drawer);
      if (most <= 0) return;
      work_->add_bodies(constraints, constraint_count, info);
      iterations = work_->iterate(info, most);
    });
    if (!done) work_->restore(seed);
  }
  if (work_->refused) {
    if (work_->policy != BulletRefusal::kBullet) return 0;
    work_->by_bullet = true;
    work_->group.report.by_bullet = 1;
    const btScalar residual = Base::solveGroupCacheFriendlyIterations(
        bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info, drawer);
    work_->by_bullet = false;
    return residual;
  }
  if (most <= 0) return 0;
  m_analyticsData.m_numSolverCalls++;
  m_analyticsData.m_numIterationsUsed = iterations;
  m_analyticsData.m_islandId = body_count > 0 ? bodies[0]->getCompanionId() : -2;
  m_analyticsData.m_numBodies = body_count;
  m_analyticsData.m_numContactManifolds = manifold_count;
  m_analyticsData.m_remainingLeastSquaresResidual = m_leastSquaresResidual;
  work_->group.report.seconds = stopwatch.lap();
  return 0;
}

btScalar BulletConstraintSolver::solveSingleIteration(
    int iteration, btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
    int manifold_count, btTypedConstraint** constraints, int constraint_count,
    const btContactSolverInfo& info, btIDebugDraw* drawer) {
  return Base::solveSingleIteration(iteration, bodies, body_count, manifolds, manifold_count,
                                    constraints, constraint_count, info, drawer);
}

btScalar BulletConstraintSolver::solveGroupCacheFriendlyFinish(btCollisionObject** bodies,
                                                               int body_count,
                                                               const btContactSolverInfo& info) {
  // The finish empties Bullet's lists of rows.
  if (work_->group.profile) work_->profile = work_->group.profile->take();
  driver::Stopwatch stopwatch;
  const btScalar result = Base::solveGroupCacheFriendlyFinish(bodies, body_count, info);
  work_->group.report.finish_seconds = stopwatch.lap();
  return result;
}

}  // namespace ppu
