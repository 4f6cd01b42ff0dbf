// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The commands of one solve: a query, copies in, runs, copies out, a query. Rows that fit on chip
// are copied behind their run, which takes them as they come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "driver/device/device.hpp"
#include "driver/device/objects.hpp"
#include "driver/solve/handover.hpp"
#include "driver/solve/solve_regions.hpp"
#include "ppu/ppu.h"

namespace ppu::driver {

class SolveBatch {
 public:
  /// `batch` is empty; the commands of the runs are complete. `regions` must last as long as this.
  SolveBatch(Device& device, std::shared_ptr<Batch> batch, const Program& program,
             const ppu_solve_def& def, const SolveRegions& regions, const hw::RunCommand* runs,
             std::size_t run_count);
  /// Of one run, whose rows are copied in blocks of block_rows() where they fit on chip.
  SolveBatch(Device& device, std::shared_ptr<Batch> batch, const Program& program,
             const ppu_solve_def& def, const SolveRegions& regions, const hw::RunCommand& run);

  /// Throws Failure, at the timeout after having cancelled the runs.
  const Batch& run();
  /// Of the ended batch: everything but faults, residual and times.
  void report_to(ppu_solve_report* report) const;
  /// Of the ended batch, if its rows were copied in blocks; else none, as without time.
  [[nodiscard]] std::optional<BlockCopies> block_copies() const;
  /// Throws the Failure of run `run`, whose fault is in `row` of the problem, or PPU_NONE.
  [[noreturn]] void fail_run(std::uint32_t run, std::uint32_t row) const;

 private:
  SolveBatch(Device& device, std::shared_ptr<Batch> batch, const ppu_solve_def& def);
  void record(const Program& program, const SolveRegions& regions, const hw::RunCommand* runs,
              std::size_t run_count);
  void record_copy(spec::CommandOpcode opcode, const Ranges& ranges);
  /// Copies the rows of a chained run.
  void record_rows(const hw::RunCommand& run, const Region& rows);
  void report_cost(ppu_solve_report* report) const;

  Device& device_;
  const ppu_solve_def& def_;
  std::shared_ptr<Batch> batch_;
  std::uint32_t first_query_ = 0, last_query_ = 0, uploaded_ = 0, run_ = 0;
  bool chained_ = false;          ///< Rows are copied behind their runs.
  std::uint32_t block_rows_ = 0;  ///< Copied at once; 0: all of a run.
};

}  // namespace ppu::driver
