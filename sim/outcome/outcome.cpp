// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a device leaves of a piece of work.
#include "sim/outcome/outcome.hpp"

#include <algorithm>
#include <cstring>

namespace ppu::sim {

ReadBack read_back(const std::string& item, std::size_t floats_per_item,
                   const std::vector<float>& values) {
  ReadBack memory{item, floats_per_item * sizeof(float), {}};
  memory.bytes.resize(values.size() * sizeof(float));
  if (!values.empty()) std::memcpy(memory.bytes.data(), values.data(), memory.bytes.size());
  return memory;
}

std::uint64_t Outcome::row_updates() const {
  std::uint64_t sum = 0;
  for (const ppu_run_report& run : runs) sum += run.counters[PPU_COUNTER_ROW_UPDATES];
  return sum;
}

Outcome outcome_of(const ppu_solve_report& report, std::uint64_t state_hash) {
  Outcome outcome;
  outcome.state_hash = state_hash;
  outcome.runs.push_back(report.run);
  std::copy_n(report.device_counters, PPU_DEVICE_COUNTER_COUNT, outcome.counters.begin());
  outcome.cycles = {{"runs of the solve", report.runs},
                    {"upload cycles", report.upload_cycles},
                    {"run cycles", report.run_cycles},
                    {"download cycles", report.download_cycles}};
  return outcome;
}

}  // namespace ppu::sim
