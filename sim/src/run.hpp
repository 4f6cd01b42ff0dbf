// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// One solve through the driver, with everything the reports need.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli_error.hpp"
#include "options.hpp"
#include "ppu/model/row_problem.hpp"
#include "ppu/ppu.h"

namespace ppu::sim {

struct Run {
  ppu_device_info device{};
  std::string config_toml;  ///< Resolved configuration.
  ppu_solve_report report{};
  model::Solution solution;
  std::vector<ppu_row_profile> profile;  ///< Per row in file order; empty without time.
  std::uint64_t state_hash = 0;
  double wall_seconds = 0;  ///< Of ppu_solve: schedule, copy, run, read back.

  [[nodiscard]] std::uint64_t counter(ppu_counter index) const {
    return report.run.counters[index];
  }
  [[nodiscard]] bool timed() const { return device.timed; }
  // Ratios of counters; NaN where the back end has no time.
  [[nodiscard]] double rows_per_cycle() const;
  [[nodiscard]] double cycles_per_row() const;
  [[nodiscard]] double flops_per_row() const;
  [[nodiscard]] double bytes_per_row() const;
};

/// Opens the back end, loads the program, solves and reads back. Throws ppu::Error for what the
/// driver refuses or a run that failed (with the command that replays a lockstep difference),
/// CliError for options that do not go together, and what check_outputs() throws.
Run run_solve(const model::RowProblem& problem, const Options& options);

/// The exit status that a failed call of the driver stands for.
ExitCode exit_code_of(ppu_result result);

}  // namespace ppu::sim
