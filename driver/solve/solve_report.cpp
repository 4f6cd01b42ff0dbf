// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Joining the reports of the runs of a solve.
#include "driver/solve/solve_report.hpp"

#include <algorithm>

#include "driver/device/outcome.hpp"

namespace ppu::driver {
namespace {

std::uint64_t end_of(const ppu_run_report& report) {
  return report.counters[PPU_COUNTER_START_CYCLE] + report.counters[PPU_COUNTER_CYCLES];
}

/// Adds a later run; cycles go from the first start to the last end.
void join(ppu_run_report* sum, const ppu_run_report& report) {
  const std::uint64_t start =
      std::min(sum->counters[PPU_COUNTER_START_CYCLE], report.counters[PPU_COUNTER_START_CYCLE]);
  const std::uint64_t end = std::max(end_of(*sum), end_of(report));
  for (std::size_t i = 0; i < PPU_COUNTER_COUNT; ++i) sum->counters[i] += report.counters[i];
  sum->counters[PPU_COUNTER_START_CYCLE] = start;
  sum->counters[PPU_COUNTER_CYCLES] = end - start;
  sum->progress = std::min(sum->progress, report.progress);
  sum->last_residual = std::max(sum->last_residual, report.last_residual);
}

}  // namespace

std::optional<std::uint32_t> failed_run(const Batch& batch) {
  for (std::uint32_t run = 0; run < batch.runs(); ++run)
    if (batch.report(run).status != PPU_RUN_OK) return run;
  return std::nullopt;
}

ppu_run_report joined_report(const Batch& batch) {
  // A run that failed counted nothing; its report says all that there is to say.
  if (const auto failed = failed_run(batch)) return public_report(batch.report(*failed));
  ppu_run_report sum = public_report(batch.report(0));
  for (std::uint32_t run = 1; run < batch.runs(); ++run)
    join(&sum, public_report(batch.report(run)));
  return sum;
}

std::uint64_t engine_cycles(const Batch& batch) {
  if (failed_run(batch)) return 0;
  std::uint64_t sum = 0;
  for (std::uint32_t run = 0; run < batch.runs(); ++run)
    sum += batch.report(run).counters[PPU_COUNTER_CYCLES];
  return sum;
}

}  // namespace ppu::driver
