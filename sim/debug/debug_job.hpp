// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The one run of `ppu debug` on a device: what the device got, what it gave back, and its log.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "firmware/assembler/assembler.hpp"
#include "hw/contract/config.hpp"
#include "hw/stepping/observed_run.hpp"
#include "model/problem/row_problem.hpp"
#include "ppu/job.h"
#include "ppu/ppu.hpp"
#include "sim/solve/solver.hpp"

namespace ppu::sim {

/// The program with its text.
struct DebugProgram {
  firmware::Assembly assembly;
  std::string file;                ///< For messages: "boxed.s".
  std::vector<std::string> lines;  ///< Of an image, those of its canonical text.
};

/// What the event log says of one run.
struct RunLog {
  std::uint8_t engine = 0;
  std::uint64_t first_instruction = 0;  ///< Cycle.
  hw::ObservedRun observed;
};

/// What a device made of the job.
struct DebuggedJob {
  DebugProgram program;
  hw::Config config;
  SolveResult solve;
  ppu_result result = PPU_OK;  ///< Or a fault: then there is no solution.
  std::string failure;         ///< The driver's sentence about it.
  Owner<ppu_job, ppu_job_destroy> job;
  std::vector<RunLog> logs;  ///< One for each run of the job; none on a back end without time.

  [[nodiscard]] bool timed() const { return solve.timed(); }
  /// Of the job, in the order in which the device got them.
  [[nodiscard]] std::vector<ppu_job_run> runs() const {
    std::vector<ppu_job_run> views;
    ppu_job_run next;
    while (ppu_job_get_run(job.get(), static_cast<std::uint32_t>(views.size()), &next) == PPU_OK)
      views.push_back(next);
    return views;
  }
};

/// Solves, with the event log in --trace or in a file that is gone afterwards. Throws ppu::Error
/// for what is no fault of a run, CliError for options that do not go together.
DebuggedJob solve_for_debugger(const model::RowProblem& problem, const Options& options);

}  // namespace ppu::sim
