// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Bullet on the PPU, C++17: a constraint solver whose iterations run on the device, with the bits
// of btSequentialImpulseConstraintSolver, and one that hands out the rows it solves.
// docs/guide/bullet.md has what works, what is refused and why the bits are the same.
//
//   ppu::BulletConstraintSolver solver("systemc");
//   btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &collision_configuration);
#ifndef PPU_BULLET_H_
#define PPU_BULLET_H_

#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "ppu/ppu.hpp"

#ifdef BT_USE_DOUBLE_PRECISION
#error \
    "ppu/bullet.h: Bullet is in double precision here, expected float32: the PPU computes in that"
#endif
#if BT_BULLET_VERSION != 324
#error "ppu/bullet.h: another version of Bullet, expected 3.24: the PPU has the bits of that one"
#endif

namespace ppu {

/// Something that is switched on in Bullet and that the PPU does not do; what() says what and why.
class BulletUnsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a row is for, the numbers of row problem files.
enum class BulletRowKind : std::uint8_t { kJoint = 0, kContact = 1, kFriction = 2 };

/// The rows of one group (the bodies, joints and contacts that Bullet solves together) after set-up
/// and warm start and before the first iteration, in the order of that iteration, in the velocity
/// form: u = b + J v + cfm x, x' = clamp(x - d u). m rows, n bodies, arrays row-major; units m, kg,
/// s; impulses in N s. Bodies are those that rows can move, in Bullet's order.
struct BulletRows {
  std::vector<std::array<std::int32_t, 2>> body;  ///< m; -1: cannot be moved.
  std::vector<BulletRowKind> kind;                ///< m.
  /// m; the contact row whose impulse bounds this friction row, else -1.
  std::vector<std::int32_t> parent;
  std::vector<float> jacobian;           ///< m x 12: linear a, angular a, linear b, angular b.
  std::vector<float> inv_mass_jacobian;  ///< m x 12, M^-1 J^T.
  std::vector<float> rate_bias;          ///< m; b, which is -m_rhs / m_jacDiagABInv.
  std::vector<float> inv_diagonal;       ///< m; d, m_jacDiagABInv. Where it is 0, b and cfm are 0.
  std::vector<float> lower, upper;       ///< m; not used where parent >= 0.
  std::vector<float> friction;           ///< m; mu where parent >= 0, else 0.
  std::vector<float> compliance;         ///< m; cfm, which is m_cfm / m_jacDiagABInv.
  std::vector<float> impulse;            ///< m; x at the warm start.
  std::vector<float> velocity_change;    ///< n x 6: linear, angular; v at the warm start.
  std::vector<float> velocity_free;      ///< n x 6; the body's new velocity is this plus v.
  std::vector<float> position;           ///< n x 3.
  std::vector<const btRigidBody*> rigid_body;  ///< n; who they are.
  std::vector<float> inv_mass;                 ///< n.
  std::vector<float> inv_inertia;              ///< n x 3 x 3, world frame.
  /// The last `rolling_rows` rows are rolling and spinning friction, whose bound is
  /// mu*min(x_parent, 1 N s): what the other fields say of them holds up to that impulse.
  std::uint32_t rolling_rows = 0;
  /// The iterations that Bullet is asked for, without those of joints with more of their own.
  std::uint32_t iterations = 0;
  float time_step = 0;  ///< s.

  [[nodiscard]] std::uint32_t row_count() const { return static_cast<std::uint32_t>(body.size()); }
  [[nodiscard]] std::uint32_t body_count() const {
    return static_cast<std::uint32_t>(inv_mass.size());
  }
  /// The arrays for ppu_solve(); valid as long as the rows.
  [[nodiscard]] ppu_problem view() const;
};

using RowObserver = std::function<void(const BulletRows&)>;

/// Bullet's own solver, on the CPU, which hands out the rows of every group that has any.
class BulletRowRecorder : public btSequentialImpulseConstraintSolver {
 public:
  /// `observer` is called before the first iteration, `answer` after the last one: with the same
  /// rows, whose impulse and velocity_change are now what Bullet found. Either may be null.
  explicit BulletRowRecorder(RowObserver observer, RowObserver answer = nullptr);
  ~BulletRowRecorder() override;
  BulletRowRecorder(const BulletRowRecorder&) = delete;
  BulletRowRecorder& operator=(const BulletRowRecorder&) = delete;

  BT_DECLARE_ALIGNED_ALLOCATOR()

  /// Others from now on, also from within an observer; null for none. What an observer throws, the
  /// step throws, as that of BulletConstraintSolver does.
  void observe(RowObserver observer, RowObserver answer = nullptr);

  void prepareSolve(int body_count, int manifold_count) override;
  btScalar solveGroup(btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
                      int manifold_count, btTypedConstraint** constraints, int constraint_count,
                      const btContactSolverInfo& info, btIDebugDraw* drawer,
                      btDispatcher* dispatcher) override;
  void allSolved(const btContactSolverInfo& info, btIDebugDraw* drawer) override;

 protected:
  btScalar solveGroupCacheFriendlySetup(btCollisionObject** bodies, int body_count,
                                        btPersistentManifold** manifolds, int manifold_count,
                                        btTypedConstraint** constraints, int constraint_count,
                                        const btContactSolverInfo& info,
                                        btIDebugDraw* drawer) override;
  btScalar solveGroupCacheFriendlyIterations(btCollisionObject** bodies, int body_count,
                                             btPersistentManifold** manifolds, int manifold_count,
                                             btTypedConstraint** constraints, int constraint_count,
                                             const btContactSolverInfo& info,
                                             btIDebugDraw* drawer) override;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

/// What solving took: of one group, or of all groups since the step began.
struct BulletReport {
  std::uint64_t groups = 0;
  std::uint64_t refused = 0;      ///< Groups that the PPU did not solve, and of those:
  std::uint64_t by_bullet = 0;    ///< groups with Bullet's own iterations.
  std::uint64_t rows = 0;         ///< Rows of the groups, each once.
  std::uint64_t row_updates = 0;  ///< Rows times the sweeps that they took part in.
  std::uint64_t sweeps = 0;       ///< Iterations, those of split impulses included.
  std::uint64_t solves = 0;       ///< Calls of ppu_solve(), and their runs:
  std::uint64_t runs = 0;
  /// Sums of the fields of ppu_solve_report; cycles are 0 on back ends without time.
  std::uint64_t engine_cycles = 0;
  std::uint64_t upload_cycles = 0, run_cycles = 0, download_cycles = 0, device_cycles = 0;
  std::uint64_t load_cycles = 0;
  double plan_seconds = 0, transfer_seconds = 0, device_seconds = 0, overlap_seconds = 0;
  /// Host time of the iterations, from Bullet's rows and bodies to their answers: the three above,
  /// making the device's rows of Bullet's, putting the answers back into Bullet's, and a rest.
  double seconds = 0, convert_seconds = 0, write_back_seconds = 0;
  /// Host time of what stays Bullet's own: before the iterations (rows of contacts and joints, warm
  /// start), and after them (velocities to the bodies).
  double set_up_seconds = 0, finish_seconds = 0;
  std::array<std::uint64_t, PPU_COUNTER_COUNT> counters{};
  std::array<std::uint64_t, PPU_DEVICE_COUNTER_COUNT> device_counters{};

  BulletReport& operator+=(const BulletReport& other);
};

/// What became of the rows of a group, in the order of BulletRows.
struct BulletProfile {
  std::vector<float> impulse;  ///< m; x after the last iteration, in N s.
  /// m; the cycles of a row, summed over all solves of the group, those of split impulses included.
  /// Those of a cap, which bounds rolling friction, are its contact's. With the drain and control
  /// cycles of the report they add up to its engine cycles. Empty unless profile_rows() asks for
  /// it, and on back ends that keep none. A device keeps the last run of each engine: with a
  /// negative residual threshold, which spreads islands, rows of earlier runs count 0.
  std::vector<ppu_row_profile> cycles;
  /// The group was one run, of these rows and no others, in the order that ppu_row_order() gives
  /// BulletRows::view(). False where Bullet's iterations took several solves (split impulses,
  /// random order, joints with iterations of their own), caps or classes of rows.
  bool one_run = false;
};

/// What becomes of a group that the PPU does not solve: with something that it does not do, or with
/// bad numbers. The other groups of the step are solved, and the report counts it.
enum class BulletRefusal {
  kGroup,   ///< Forces act on its bodies, and none of its rows: they fall through what they stand
            ///< on.
  kBullet,  ///< Bullet does the iterations of the group by itself, on the CPU.
  kStep,    ///< The step throws BulletUnsupported or ppu::SolveError.
};

/// The largest group that the device takes at once. A larger one goes through it in parts, in every
/// iteration.
struct BulletLimits {
  std::uint32_t rows = 0;    ///< Key impulse_memory_rows of the configuration.
  std::uint32_t bodies = 0;  ///< That rows can move: key body_memory_bodies.
};

/// Called after each group that has rows, with the rows before its first iteration.
using SolveObserver =
    std::function<void(const BulletRows&, const BulletReport&, const BulletProfile&)>;

/// Bullet's sequential impulse solver with its iterations on the PPU. One group at a time, as any
/// solver of Bullet's. Constructors throw ppu::Error where no device could be opened. What it
/// cannot solve is the matter of a group (BulletRefusal). A step throws
///   ppu::SolveError    a device that was lost
///   ppu::Error         a program that could not be loaded, as on a device that was closed
/// and what an observer throws; with BulletRefusal::kStep also
///   BulletUnsupported  something is switched on that the PPU does not do
///   ppu::SolveError    a group with bad numbers, a row that became infinite or no number there
/// The bodies of that group and of those behind it keep the velocities from before the step. Bullet
/// leaves out what it does behind the solver, clearForces() included: call that of the world before
/// the next step, or gravity is in that one twice.
/// A world ends its groups with allSolved(), which throws. Without prepareSolve() before it, as in
/// a pool of solvers, solveGroup() does.
class BulletConstraintSolver : public btSequentialImpulseConstraintSolver {
 public:
  /// Opens a device of its own; "functional", "systemc", "cosim", "rtl".
  explicit BulletConstraintSolver(const std::string& backend);
  explicit BulletConstraintSolver(const ppu_device_def& def);
  /// Uses an open device, which must last as long as the solver.
  explicit BulletConstraintSolver(const Device& device);
  explicit BulletConstraintSolver(ppu_device device);
  ~BulletConstraintSolver() override;
  BulletConstraintSolver(const BulletConstraintSolver&) = delete;
  BulletConstraintSolver& operator=(const BulletConstraintSolver&) = delete;

  BT_DECLARE_ALIGNED_ALLOCATOR()

  /// The device it solves on.
  [[nodiscard]] ppu_device device() const;
  /// The groups of the last step of a world, or since the solver was made where there is no world.
  [[nodiscard]] const BulletReport& last_report() const;
  /// Why groups of the last step were refused, a sentence each, in Bullet's order of groups.
  [[nodiscard]] const std::vector<std::string>& refusals() const;
  /// What becomes of refused groups from now on; BulletRefusal::kGroup at first.
  void on_refusal(BulletRefusal what);
  /// Beyond these a group goes through the device in parts.
  [[nodiscard]] BulletLimits limits() const;
  /// The order of the rows on the device from now on; that of ppu_default_solve_def() at first.
  /// PPU_ORDER_COLOUR changes the result.
  void order(ppu_order order);
  /// `observer` is called from now on, also from within one; null for none.
  void observe(SolveObserver observer);
  /// Whether observers get the cycles of single rows; off at first. It costs host time, no cycles.
  void profile_rows(bool wanted);

  void prepareSolve(int body_count, int manifold_count) override;
  btScalar solveGroup(btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
                      int manifold_count, btTypedConstraint** constraints, int constraint_count,
                      const btContactSolverInfo& info, btIDebugDraw* drawer,
                      btDispatcher* dispatcher) override;
  void allSolved(const btContactSolverInfo& info, btIDebugDraw* drawer) override;

 protected:
  btScalar solveGroupCacheFriendlySetup(btCollisionObject** bodies, int body_count,
                                        btPersistentManifold** manifolds, int manifold_count,
                                        btTypedConstraint** constraints, int constraint_count,
                                        const btContactSolverInfo& info,
                                        btIDebugDraw* drawer) override;
  void solveGroupCacheFriendlySplitImpulseIterations(
      btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
      int manifold_count, btTypedConstraint** constraints, int constraint_count,
      const btContactSolverInfo& info, btIDebugDraw* drawer) override;
  btScalar solveGroupCacheFriendlyIterations(btCollisionObject** bodies, int body_count,
                                             btPersistentManifold** manifolds, int manifold_count,
                                             btTypedConstraint** constraints, int constraint_count,
                                             const btContactSolverInfo& info,
                                             btIDebugDraw* drawer) override;
  /// Bullet's. Another one would not be what the device does, so there can be none.
  btScalar solveSingleIteration(int iteration, btCollisionObject** bodies, int body_count,
                                btPersistentManifold** manifolds, int manifold_count,
                                btTypedConstraint** constraints, int constraint_count,
                                const btContactSolverInfo& info, btIDebugDraw* drawer) final;
  btScalar solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int body_count,
                                         const btContactSolverInfo& info) override;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace ppu

#endif  // PPU_BULLET_H_
