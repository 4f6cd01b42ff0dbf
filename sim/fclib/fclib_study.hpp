// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// One FCLIB problem by every method that can take it, with pyramids of several numbers of
// directions, and the error on the cone that each leaves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/fclib/fclib_problem.hpp"
#include "sim/solve/options.hpp"

namespace ppu::sim {

struct FclibOptions {
  std::vector<std::string> methods;  ///< Of fclib_methods(); empty: all that the problem can take.
  std::vector<std::uint32_t> directions{2, 4, 8};
  std::vector<std::string> peers;  ///< "siconos".
  std::uint32_t sweeps = 100000;   ///< At most, of `explicit` and `cones`; `pgs`: 1,000.
  double tolerance = 1e-4;         ///< Error at which Siconos and "cones" end.
};

/// "pgs" on the device, "explicit", "pgs-sm", "interior-point", "cones": Gauss-Seidel on the cones.
const std::vector<std::string>& fclib_methods();

struct FclibResult {
  std::string method;            ///< Or a peer.
  std::uint32_t directions = 0;  ///< 0: the cone itself.
  std::size_t rows = 0;
  std::uint64_t sweeps = 0;  ///< Or iterations.
  bool reached = false;
  double error = 0;          ///< |F_nat(r)| / |q|.
  double error_in_cone = 0;  ///< Of the same r put into the cones.
  double excess = 0;         ///< How far r sticks out of them, in parts of the largest |r|.
  double host_seconds = 0;
  std::optional<double> device_seconds;  ///< Simulated time.
  std::vector<double> r;

  [[nodiscard]] double seconds() const { return host_seconds + device_seconds.value_or(0); }
};

/// Throws RowProblemError and CliError (usage) for a problem that a method which was asked for
/// cannot take, CliError (mismatch) where numbers fail, and what Solver and ask_peer() throw.
std::vector<FclibResult> solve_fclib(const model::fclib::Problem& problem, const Options& device,
                                     const FclibOptions& options);

}  // namespace ppu::sim
