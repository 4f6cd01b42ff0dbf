// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Solves through the driver, with everything the reports need.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/problem/row_problem.hpp"
#include "ppu/ppu.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/solve/firmware_file.hpp"
#include "sim/solve/options.hpp"

namespace ppu::sim {

/// What the driver and the device say of one solve.
struct SolveResult {
  ppu_device_info device{};
  std::string config_toml;  ///< Resolved configuration.
  ppu_solve_report report{};
  std::optional<float> threshold;  ///< Of a program with a test for termination, else none.
  model::Solution solution;
  /// Per row in file order; empty if nobody asked, and on back ends that keep none.
  std::vector<ppu_row_profile> profile;
  std::uint64_t state_hash = 0;
  std::uint64_t lockstep_rows = 0;  ///< Compared with the RTL row pipes.
  double wall_seconds = 0;          ///< Of ppu_solve: packing, copy, run, read back.
  std::uint32_t budget_cycles = 0;  ///< Of --budget-us; 0: none.

  [[nodiscard]] std::uint64_t counter(ppu_counter index) const {
    return report.run.counters[index];
  }
  [[nodiscard]] std::uint64_t counter(ppu_device_counter index) const {
    return report.device_counters[index];
  }
  [[nodiscard]] bool timed() const { return device.timed; }
  // Ratios of counters; NaN where the back end has no time.
  [[nodiscard]] double rows_per_cycle() const;
  [[nodiscard]] double cycles_per_row() const;
  [[nodiscard]] double flops_per_row() const;
  /// Between row pipe and memories on chip, as `ppu asm --listing` counts them.
  [[nodiscard]] double bytes_per_row() const;
};

/// A solve that failed, with what is needed to tell how to repeat it.
class FailedSolve : public Error {
 public:
  FailedSolve(ppu_result code, const Options& of_solve);

  Options options;
  std::string
      reason;  ///< What the driver says; what() also says of which problem, and what is left.
};

/// The program of the options. Throws CliError (usage) for options that mean nothing to it.
Firmware program_of(const Options& options);

/// Opens the back end. Throws ppu::Error for what the driver refuses.
Device open_device(const Options& options);

/// An open device with a program, for one solve after another.
class Solver {
 public:
  /// Opens the back end and loads the program. Throws ppu::Error for what the driver refuses,
  /// CliError for options that do not go together.
  explicit Solver(const Options& options);

  /// Solves and reads back. Throws FailedSolve.
  [[nodiscard]] SolveResult solve(const model::RowProblem& problem, std::uint32_t sweeps) const;
  /// Closes the device. Throws ppu::Error if its event log or its waves are not complete.
  void close() { device_.close(); }
  /// What it asks of the driver.
  [[nodiscard]] ppu_solve_def solve_def(const model::RowProblem& problem,
                                        std::uint32_t sweeps) const;
  /// Solves as `def` says. A solve that fails is told, not thrown: `result` then has a report only
  /// after PPU_ERROR_FAULT.
  [[nodiscard]] ppu_result try_solve(const model::RowProblem& problem, const ppu_solve_def& def,
                                     SolveResult* result) const;
  [[nodiscard]] const Device& device() const { return device_; }

 private:
  Options options_;
  Firmware firmware_;
  std::vector<std::byte> image_;
  Device device_;
  Program program_;
};

/// One solve on a device of its own. Throws as Solver does.
SolveResult solve_once(const model::RowProblem& problem, const Options& options);

/// The exit status that a failed call of the driver stands for.
ExitCode exit_code_of(ppu_result result);

}  // namespace ppu::sim
