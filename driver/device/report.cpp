// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Reports of runs: a header of 32-bit words, then the counters.
#include "driver/device/report.hpp"

#include <cstring>

namespace ppu::driver {
namespace {

std::uint32_t word(const std::byte* memory, spec::ReportWord which) {
  std::uint32_t value = 0;
  std::memcpy(&value, memory + static_cast<std::size_t>(which) * sizeof value, sizeof value);
  return value;
}

}  // namespace

void clear_report(std::byte* memory) {
  const std::uint32_t running = PPU_RUN_RUNNING;
  std::memcpy(memory + static_cast<std::size_t>(spec::ReportWord::kStatus) * sizeof running,
              &running, sizeof running);
}

hw::RunReport read_report(const std::byte* memory) {
  using Word = spec::ReportWord;
  hw::RunReport report;
  report.status = static_cast<ppu_run_status>(word(memory, Word::kStatus));
  if (report.status == PPU_RUN_RUNNING) {
    report.status = PPU_RUN_BAD_COMMAND;
    return report;
  }
  report.fault_row = word(memory, Word::kFaultRow);
  report.fault_detail = word(memory, Word::kFaultDetail);
  report.fault_value = word(memory, Word::kFaultValue);
  report.progress = word(memory, Word::kProgress);
  report.last_residual = word(memory, Word::kLastResidual);
  report.command = word(memory, Word::kCommand);
  report.engine = word(memory, Word::kEngine);
  std::memcpy(report.counters.data(), memory + spec::kReportHeaderBytes, sizeof report.counters);
  return report;
}

}  // namespace ppu::driver
