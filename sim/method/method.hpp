// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Solves by the other methods of the source papers. What they do themselves runs on the host in
// double precision; sweeps run on the device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/methods/scaled_rows.hpp"
#include "model/problem/row_problem.hpp"
#include "sim/solve/options.hpp"

namespace ppu::sim {

/// Firmware on the device, which `ppu solve` does without another word.
inline constexpr const char* kSweepsMethod = "pgs";

/// Firmware that stops at a residual, again and again from velocities that the host makes anew of
/// the impulses, until these themselves are there.
inline constexpr const char* kMendedMethod = "mended";
/// Of --threshold and --sweeps where they are not given: the patent's Thres.
inline constexpr double kMendedThreshold = 0.01;
inline constexpr std::uint32_t kMendedSweeps = 20000;

/// The words of --method, kSweepsMethod first. `explicit`, `explicit-2` and `explicit-3` are the
/// patent's Examples 1 to 3: on A, and on J and J_M.
const std::vector<std::string>& method_names();

/// Whether it is one of those three.
bool is_explicit(const std::string& method);

struct MethodOptions {
  std::string method = kSweepsMethod;
  /// Of interior-point iterations, or rounds of subspaces, or of friction where that follows; 0: as
  /// their papers say.
  int most_rounds = 0;
  bool frozen = false;  ///< Bounds of friction as in the file's answer, else they follow contacts.
  // Of methods on A, and of `mended`.
  std::uint32_t sweeps = 1000;  ///< At most, all rounds together.
  double threshold = 1e-6;      ///< Of the true residual, m/s.
};

/// What the device did for a method.
struct MethodDevice {
  std::uint64_t calls = 0;
  std::uint64_t cycles = 0;  ///< Copies and runs; 0 where the back end has no time.
  double clock_mhz = 0;
};

struct MethodResult {
  std::vector<double> impulse;  ///< m, N s.
  model::Solution solution;     ///< The same, rounded, with the velocities that it gives.
  /// With friction frozen at the impulses found. The true residual is `rate`.
  model::methods::Residual residual;
  bool reached = false;     ///< The end of the method, and of the outer loop around it.
  int friction_rounds = 0;  ///< Boxed problems solved while friction followed; 0: friction stood.
  int iterations = 0;  ///< Of an interior point, or rounds of subspace minimization or mending.
  int sweeps = 0;
  int factorizations = 0;
  std::size_t factor_nonzeros = 0;  ///< Largest, in doubles.
  std::optional<MethodDevice> device;
  double host_seconds = 0;  ///< Of the processor, without what it takes to use the device.
};

/// Of impulses, with friction frozen at them.
model::methods::Residual residual_of(const model::RowProblem& problem,
                                     const std::vector<double>& impulse);

/// Throws RowProblemError and CliError (usage) for a problem that the method cannot take,
/// CliError (mismatch) where its numbers fail, and what Solver throws.
MethodResult solve_by_method(const model::RowProblem& problem, const Options& options,
                             const MethodOptions& method);

}  // namespace ppu::sim
