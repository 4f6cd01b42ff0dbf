// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Other methods than sweeps, of the papers behind the PPU: they take a row problem to a converged
// answer. What they do themselves runs on the host in double precision, in the thread that calls;
// the sweeps of those that sweep run on an open device of any back end. And the distance of convex
// polyhedra, a complementarity problem that needs no device.
// docs/guide/methods.md and docs/guide/distance.md tell which is for what. C11 and C++17, as ppu.h.
#ifndef PPU_METHODS_H_
#define PPU_METHODS_H_

#include "ppu/ppu.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ppu_method {
  /// Rounds of five sweeps on the device, then Newton steps on the rows inside their bounds: J. L.
  /// Morales, J. Nocedal and M. Smelyanskiy (2008), Algorithm 3.1.
  PPU_METHOD_PGS_SM = 0,
  /// A primal-dual path through the inside of the bounds: M. C. Ferris, A. J. Wathen and P. Armand
  /// (2007). No device.
  PPU_METHOD_INTERIOR_POINT = 1,
  /// Sweeps over the matrix A itself: US 7,079,145, Example 1. Friction follows in the sweeps, from
  /// zero. No device; nor have the next two one.
  PPU_METHOD_EXPLICIT = 2,
  PPU_METHOD_EXPLICIT_2 = 3,  ///< Example 2: over J and J_M, velocities made anew after each row.
  PPU_METHOD_EXPLICIT_3 = 4,  ///< Example 3: over J and J_M, velocities changed by each step.
  /// A program that ends at a residual, again and again from velocities that the host makes anew of
  /// the impulses, until these themselves are at the threshold.
  PPU_METHOD_MENDED = 5,
  /// The interior point to its end, then pgs-sm from its answer: which rows are at their bounds is
  /// nearly known there, and few factors are left to 1e-8.
  PPU_METHOD_CROSSOVER = 6
} ppu_method;

/// Name of a method ("pgs-sm"), in the order of ppu_method, null past the last one.
PPU_API const char* ppu_method_name(size_t index);

typedef struct ppu_method_def {
  /// Set by ppu_default_method_def(); do not change.
  uint32_t cookie;
  ppu_method method;
  /// At most so many iterations of interior-point, or rounds of pgs-sm, each of crossover; where
  /// rows have parents, so many boxed problems with friction frozen in between. 0, the default: as
  /// the papers say. The others do not look at it.
  uint32_t max_rounds;
  /// How sweeps run. Of pgs-sm, crossover and mended: `program` (of mended one that ends at a
  /// residual, as "nesterov", else one of the rate form, as "boxed"), `start` (not of crossover),
  /// `order`, `stream` and `timeout_ns`, of mended `mark_threshold`, `relaxation` and `friction`,
  /// too. Of mended and the explicit ones: `max_sweeps`, all rounds together, and `threshold`, in
  /// m/s or rad/s: they end where the true residual is not above it. Budget, classes and profile
  /// must be as they are by default.
  ppu_solve_def solve;
} ppu_method_def;

typedef struct ppu_method_report {
  /// The method has come to its end: r_1 <= 1e-8 (pgs-sm, crossover), mu <= 1e-8 and |g| <= (1 +
  /// |q|) 1e-6 (interior point), the threshold (the others); where rows have parents, friction
  /// stands still, too. Else its rounds or its sweeps were not enough, and the answer is where they
  /// have led.
  bool reached;
  /// Boxed problems solved while friction followed the contacts; 0: it had not to.
  uint32_t friction_rounds;
  /// Of interior-point, rounds of pgs-sm or of mended, both of crossover, all boxed problems
  /// together.
  uint32_t iterations;
  uint32_t sweeps;
  /// Of a sparse matrix, on the host.
  uint32_t factorizations;
  /// Numbers that the largest factor has; of the explicit ones, those of A.
  uint64_t factor_numbers;
  /// All with bounds of friction at the impulses found. The largest rate that breaks its condition,
  /// m/s or rad/s.
  double max_residual;
  /// r_1 of Morales, Nocedal and Smelyanskiy, (2.7); no unit.
  double paper_residual;
  /// max |x - clamp(x - u)|: N s and m/s mixed; and the Euclidean norm of the same in parts of |b|.
  double natural_residual, relative_residual;
  /// Runs on the device, and their cycles with all copies; 0 without a device, and without time.
  uint64_t device_calls, device_cycles;
  /// Processor time of the calling thread, without what it took to use the device.
  double host_seconds;
} ppu_method_report;

/// Defaults of a method: pgs-sm, interior-point and crossover need no other ones. Explicit: 1000
/// sweeps to 1e-6 m/s. Mended: 20000 sweeps to 0.01 m/s, the patent's Thres.
PPU_API ppu_method_def ppu_default_method_def(ppu_method method);
/// Solves one problem, which needs inv_mass and inv_inertia, in the rate form. `device` may be null
/// for the methods that have none. `impulse` (m, N s) and `velocity_change` (n x 6, M^-1 J^T x; may
/// be null) receive the answer, `report` may be null; they are written on PPU_OK alone, which it
/// also is where `reached` is false. PPU_ERROR_PROBLEM: the problem is malformed.
/// PPU_ERROR_NUMERIC: a matrix is not positive semidefinite, numbers grow without end, or a rate
/// asks for an impulse of 10^10 N s, which stands for no bound. Else as ppu_solve(). Takes memory
/// and time by the size of the factor, which grows faster than the
/// problem.
PPU_API ppu_result ppu_method_solve(ppu_device device, const ppu_problem* problem,
                                    const ppu_method_def* def, double* impulse,
                                    double* velocity_change, ppu_method_report* report);

// -------------------------------------------------------------------------------------- distance

/// A convex polyhedron, by its planes or as the hull of its vertices: the other count is 0. Lengths
/// in m.
typedef struct ppu_polyhedron {
  /// 4 to 256: n_x, n_y, n_z, offset of each half-space n . x <= offset; |n| may have any length
  /// but 0.
  const double (*planes)[4];
  uint32_t plane_count;
  uint32_t vertex_count;
  const double (*vertices)[3];  ///< 4 to 256.
} ppu_polyhedron;

/// Where a polyhedron is: world = rotation x + position.
typedef struct ppu_pose {
  double position[3];  ///< m.
  double rotation[4];  ///< Quaternion x, y, z, w, of length 1 to 1e-3.
} ppu_pose;

/// Two polyhedra, by number.
typedef struct ppu_pair {
  uint32_t first, second;
  ppu_pose first_pose, second_pose;
} ppu_pair;

typedef struct ppu_distance {
  double distance;                         ///< m; 0 where they overlap.
  double first_point[3], second_point[3];  ///< The nearest ones, world, m.
  /// At most so far from the truth, m: shown by the points and the plane between them alone.
  double proven_error;
  uint32_t pivots;
} ppu_distance;

/// Distances of `pair_count` pairs by Lemke's complementary pivoting (P. Kipfer, GPU Gems 3,
/// chapter 33), on `threads` threads (0: one for each core); the results do not depend on them.
/// `distances` receives `pair_count` results. PPU_ERROR_PROBLEM: a polyhedron has no volume, one
/// without end, or numbers that are not finite, or a pair names none; the sentence says which.
/// PPU_ERROR_NUMERIC: pivots of a pair go on without end.
PPU_API ppu_result ppu_distances(const ppu_polyhedron* polyhedra, uint32_t polyhedron_count,
                                 const ppu_pair* pairs, uint32_t pair_count, uint32_t threads,
                                 ppu_distance* distances);

#ifdef __cplusplus
}
#endif

#endif  // PPU_METHODS_H_
