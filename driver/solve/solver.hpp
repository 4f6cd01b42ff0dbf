// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The solver helper: one problem from rows to impulses on a device.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "driver/base/stopwatch.hpp"
#include "driver/device/device.hpp"
#include "driver/device/objects.hpp"
#include "driver/plan/plan.hpp"
#include "driver/solve/handover.hpp"
#include "driver/solve/mass_scaling.hpp"
#include "driver/solve/records.hpp"
#include "driver/solve/row_packing.hpp"
#include "driver/solve/solve_memory.hpp"
#include "driver/solve/solve_regions.hpp"
#include "ppu/ppu.h"

namespace ppu::driver {

/// What is decided before a solve: its runs, with all of their commands but the addresses.
struct SolveSetup {
  Plan plan;
  double plan_seconds = 0;  ///< Host time of the plan.
  RowScale scale;
  std::optional<MassScaling> scaling;  ///< Of a program on reduced rows.
  std::vector<hw::RunCommand> commands;
};

/// The solver helper of a device. Rows as given, in the full form and
/// in one run, need no plan: they go to the device's memory in one pass, block by block, and once
/// memory has its size, a solve of them allocates nothing.
class Solver {
 public:
  /// The device must outlive it.
  explicit Solver(Device& device) : device_(device) {}

  /// Throws Failure where solve() refuses its arguments.
  SolveSetup set_up(const Program& program, const ppu_problem& problem, const ppu_solve_def& def);

  /// ppu_solve() with checked pointers. Throws Failure; writes `report` (may be null) also where
  /// the run ends with a fault.
  void solve(const Program& program, const ppu_problem& problem, const ppu_solve_def& def,
             float* impulse, float* velocity_change, ppu_solve_report* report);
  /// ppu_records_solve(), the same way.
  void solve(const Program& program, Records& records, const ppu_solve_def& def,
             ppu_solve_report* report);
  /// ppu_records_start() and ppu_records_finish(), the same way.
  void start(std::shared_ptr<const Program> program, Records& records, const ppu_solve_def& def,
             std::uint32_t row_count);
  void finish(Records& records, ppu_solve_report* report);

 private:
  [[nodiscard]] PlanTarget target_of(const Program& program, const ppu_solve_def& def) const;
  std::shared_ptr<Batch> empty_batch();
  /// Both fill in `result`, and `report` (may be null) at a fault.
  void solve_planned(const Program& program, const ppu_problem& problem, const ppu_solve_def& def,
                     float* impulse, float* velocity_change, ppu_solve_report* result,
                     ppu_solve_report* report);
  void solve_given(const Program& program, const ppu_problem& problem, const ppu_solve_def& def,
                   float* impulse, float* velocity_change, ppu_solve_report* result,
                   ppu_solve_report* report);
  void solve_planned(const Program& program, Records& records, const ppu_solve_def& def,
                     ppu_solve_report* result, ppu_solve_report* report);
  /// Runs of a plan over what is in memory. `stopwatch` has run since the packing began;
  /// afterwards, since the end of the runs.
  void run_planned(const Program& program, const ppu_solve_def& def, SolveSetup& setup,
                   const SolveMemory& memory, Stopwatch& stopwatch,
                   const std::shared_ptr<Batch>& empty, ppu_solve_report* result,
                   ppu_solve_report* report);
  std::vector<hw::RunCommand> commands_of(const Program& program, const Plan& plan,
                                          const ppu_solve_def& def) const;
  /// Of one run over what is in the regions.
  [[nodiscard]] hw::RunCommand command_over(const SolveRegions& regions, const Program& program,
                                            const ppu_solve_def& def, std::uint32_t row_count,
                                            std::uint32_t body_count) const;
  /// That run. `stopwatch` has run since the packing began; afterwards, since the end of the run.
  static void run_given(SolveBatch& batch, const ppu_solve_def& def, std::uint32_t row_count,
                        Stopwatch& stopwatch, ppu_solve_report* result, ppu_solve_report* report);
  /// The same of rows that were handed over in blocks, all of them.
  static void run_blocks(SolveBatch& batch, Handover& handover, const ppu_solve_def& def,
                         std::uint32_t row_count, Stopwatch& stopwatch, ppu_solve_report* result,
                         ppu_solve_report* report);

  Device& device_;
  std::shared_ptr<Batch> batch_;  ///< Of the last solve, empty between two.
  Handover handover_;             ///< Of the arrays of the last solve.
};

}  // namespace ppu::driver
