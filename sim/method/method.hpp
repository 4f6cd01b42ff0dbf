// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Solves by the other methods of the source papers, through the driver: ppu/methods.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/methods/scaled_rows.hpp"
#include "model/problem/row_problem.hpp"
#include "ppu/methods.h"
#include "sim/solve/options.hpp"

namespace ppu::sim {

/// Firmware on the device, which `ppu solve` does without another word.
inline constexpr const char* kSweepsMethod = "pgs";

/// ppu_method_name() of PPU_METHOD_MENDED.
inline constexpr const char* kMendedMethod = "mended";

/// The words of --method: kSweepsMethod, then those of ppu_method_name().
const std::vector<std::string>& method_names();

/// Whether it is one of the patent's Examples 1 to 3.
bool is_explicit(const std::string& method);

struct MethodOptions {
  std::string method = kSweepsMethod;
  /// Of interior-point iterations, or rounds of subspaces, or of friction where that follows; 0: as
  /// their papers say.
  int most_rounds = 0;
  bool frozen = false;  ///< Bounds of friction as in the file's answer, else they follow contacts.
  // Of methods on A, and of `mended`; none: those of ppu_default_method_def().
  std::optional<std::uint32_t> sweeps;  ///< At most, all rounds together.
  std::optional<float> threshold;       ///< Of the true residual, m/s.
};

/// What the driver is asked for, but for the device's part.
ppu_method_def method_def(const MethodOptions& method);

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

/// Throws CliError (usage) for a problem that cannot be frozen, and what Solver throws.
MethodResult solve_by_method(const model::RowProblem& problem, const Options& options,
                             const MethodOptions& method);

}  // namespace ppu::sim
