// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "sim/debug/wave_row.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "sim/base/cli_error.hpp"
#include "sim/base/text.hpp"
#include "sim/debug/debug_job.hpp"

namespace ppu::sim {
namespace {

/// Cycles before the issue and behind the last write.
constexpr std::uint64_t kAround = 8;

/// Sweeps count from 1.
struct RowUpdateName {
  unsigned row, sweep;
};

RowUpdateName parse(const std::string& text) {
  RowUpdateName name{};
  char rest = 0;
  if (std::sscanf(text.c_str(), "%u:%u%c", &name.row, &name.sweep, &rest) != 2 || name.sweep == 0)
    throw CliError(kExitUsage, "--wave-row: got '" + text +
                                   "', expected ROW:SWEEP, a row of the problem from 0 and how "
                                   "often it is updated then, from 1");
  return name;
}

/// An update of a row on the device.
struct Found {
  std::uint8_t engine;
  hw::RowTimes times;
};

std::optional<Found> find(const DebuggedJob& job, const RowUpdateName& name) {
  const std::vector<ppu_job_run> runs = job.runs();
  for (std::size_t run = 0; run < runs.size() && run < job.logs.size(); ++run) {
    const std::uint32_t* const end = runs[run].row_of_slot + runs[run].row_count;
    const std::uint32_t* const slot = std::find(runs[run].row_of_slot, end, name.row);
    if (slot == end) continue;
    unsigned sweep = 0;
    for (const hw::RowTimes& times : job.logs[run].observed.rows)
      if (runs[run].row_of_slot + times.slot == slot && ++sweep == name.sweep)
        return Found{job.logs[run].engine, times};
  }
  return std::nullopt;
}

}  // namespace

std::string choose_wave_window(const model::RowProblem& problem, Options* options) {
  if (options->wave_row.empty()) return {};
  const RowUpdateName name = parse(options->wave_row);
  Options timed = *options;
  timed.backend = "systemc";
  timed.trace.clear();
  timed.wave.clear();
  timed.wave_scope.clear();
  timed.wave_row.clear();
  const std::optional<Found> found = find(solve_for_debugger(problem, timed), name);
  const std::string what =
      "row " + std::to_string(name.row) + ", sweep " + std::to_string(name.sweep);
  if (!found)
    throw CliError(kExitUsage, "--wave-row: " + what + " is not there, of " +
                                   counted(problem.rows(), "row") + " from 0");
  const hw::RowTimes& times = found->times;
  if (options->backend == "cosim" && (times.pipe != 0 || found->engine != 0))
    throw CliError(kExitUsage, "--wave-row: " + what + " goes through pipe " +
                                   std::to_string(times.pipe) + " of engine " +
                                   std::to_string(found->engine) +
                                   ", and cosim writes waves of pipe 0 of engine 0, expected "
                                   "another row or --backend rtl");
  const std::uint64_t last = times.write == hw::kNever ? times.issue : times.write;
  options->wave_window = std::to_string(times.issue - std::min(times.issue, kAround)) + ":" +
                         std::to_string(last + kAround);
  return "Waves: " + what + ", in slot " + std::to_string(times.slot) + ", issues in cycle " +
         grouped(times.issue) + " on pipe " + std::to_string(times.pipe) + " of engine " +
         std::to_string(found->engine) +
         (times.write == hw::kNever ? "" : " and is written in cycle " + grouped(times.write)) +
         "; they show cycles " + options->wave_window + "\n";
}

}  // namespace ppu::sim
