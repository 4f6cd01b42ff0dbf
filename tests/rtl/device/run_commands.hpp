// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Commands of the ring for runs as the engines know them.
#pragma once

#include <algorithm>

#include "tests/hw/support/device_host.hpp"

namespace ppu::hw::test {

/// A run whose rows, impulses and velocities lie `offset` bytes behind where it says.
inline CommandWords run_command(const RunCommand& run, std::uint32_t report_address,
                                std::uint32_t offset = 0) {
  CommandWords words = make_command(spec::CommandOpcode::kRun,
                                    {{field::kProgramWords, run.program_words},
                                     {field::kEntry, run.entry},
                                     {field::kRowCount, run.row_count},
                                     {field::kBodyCount, run.body_count},
                                     {field::kRowsAddress, offset + run.rows_address},
                                     {field::kImpulsesAddress, offset + run.impulses_address},
                                     {field::kVelocitiesAddress, offset + run.velocities_address},
                                     {field::kReportAddress, report_address},
                                     {field::kFlags, (run.stream ? spec::kFlagStream : 0U) |
                                                         (run.reduced ? spec::kFlagReduced : 0U)}});
  std::copy(run.arguments.begin(), run.arguments.end(), words.begin() + field::kArguments.word);
  return words;
}

/// The same run, its rows streamed or not.
inline RunCommand streamed(RunCommand run, bool stream) {
  run.stream = stream;
  return run;
}

}  // namespace ppu::hw::test
