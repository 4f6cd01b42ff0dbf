// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What `ppu bench` times: solvers of the same rows that run `sweeps` sweeps and say how long it
// took.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "options.hpp"
#include "ppu/model/row_problem.hpp"

namespace ppu::sim {

struct Sample {
  double seconds = 0;
  std::uint64_t row_updates = 0;
  std::uint64_t cycles = 0;  ///< Simulated; 0 without time.
};

struct Contender {
  std::string name;
  std::string clock;  ///< Which clock `seconds` is of.
  std::function<Sample(std::uint32_t sweeps)> run;
};

/// CPU seconds of this process so far, all threads.
double cpu_seconds();

/// A back end through the driver: the driver's wait for the device.
Contender bench_backend(const model::RowProblem& problem, const Options& options,
                        const std::string& backend);
/// The Verilated row pipe alone, a row offered in every cycle.
Contender bench_rtl_row_pipe(const model::RowProblem& problem, const Options& options);
/// Bullet's scalar row solver, one call per row, friction bounds as Bullet sets them.
Contender bench_bullet(const model::RowProblem& problem);
/// A straight float loop over packed rows, compiled as everything else.
Contender bench_plain(const model::RowProblem& problem);

}  // namespace ppu::sim
