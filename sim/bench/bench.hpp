// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What `ppu bench` times: solvers of the same rows, and devices at work, that do `count` pieces of
// work and say how long it took.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "model/problem/row_problem.hpp"
#include "sim/cli/options.hpp"

namespace ppu::sim {

struct Sample {
  double seconds = 0;
  std::uint64_t row_updates = 0;
  std::uint64_t cycles = 0;  ///< Simulated; 0 without time.
  std::uint64_t bytes = 0;   ///< Rows streamed, or copied by the DMA.
};

struct Contender {
  std::string name;
  std::string unit;   ///< Of `count`: "sweeps".
  std::string clock;  ///< Which clock `seconds` is of.
  std::function<Sample(std::uint32_t count)> run;
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

/// The whole device of `options.backend`, frame after frame: upload, `options.sweeps` sweeps, read
/// back.
Contender bench_frames(const model::RowProblem& problem, const Options& options,
                       const std::string& name);
/// Its DMA: copies to device memory and back.
Contender bench_dma(const Options& options, const std::string& name);

}  // namespace ppu::sim
