// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Programs by problems: what each of them costs and reaches, and whether the back ends agree, as a
// table for people, as JSON and as a page of the manual.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/problem/row_problem.hpp"
#include "sim/solve/options.hpp"

namespace ppu::sim {

/// One program on one problem.
struct ProgramResult {
  std::string program;
  std::string problem;  ///< Name of the file without .h5.
  Options options;      ///< Of the first back end.
  std::string refusal;  ///< Why the driver does not run it, else empty and the rest holds.
  std::uint32_t sweeps = 0;
  std::uint64_t row_updates = 0;
  double residual = 0;              ///< True residual.
  bool timed = false;               ///< The first back end counts cycles.
  std::uint64_t device_cycles = 0;  ///< From the upload to the read-back.
  double rows_per_cycle = 0;        ///< While the program runs.
  double chip_bytes_per_row = 0;    ///< Between row pipe and all memories on chip.
  double stream_bytes_per_row = 0;  ///< From device memory, of a second solve with --stream.
  std::uint64_t state_hash = 0;
  std::vector<std::string> differences;  ///< Between back ends, a sentence each.
};

/// Runs `options` on each of `backends`, then streamed on the first of them. Throws ppu::Error for
/// what says nothing about the program: a device that is lost, an unknown configuration.
ProgramResult measure_program(const model::RowProblem& problem, const Options& options,
                              const std::vector<std::string>& backends);

struct ProgramsTable {
  std::vector<std::string> backends;
  std::string command;  ///< The command line that makes it.
  std::vector<ProgramResult> results;

  [[nodiscard]] bool equal() const;
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string markdown() const;
  [[nodiscard]] nlohmann::ordered_json json() const;

 private:
  [[nodiscard]] std::string summary() const;
};

}  // namespace ppu::sim
