// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Runs of one problem on two back ends, compared.
#include "sim/measure/solve_comparison.hpp"

#include "sim/outcome/comparison.hpp"

namespace ppu::sim {

std::vector<std::string> differences(const std::string& name_a, const SolveResult& a,
                                     const std::string& name_b, const SolveResult& b) {
  Comparison compare(name_a, name_b);
  compare.hash("state hash", a.state_hash, b.state_hash);
  compare.number("sweeps", a.report.sweeps, b.report.sweeps);
  compare.number("row updates", a.counter(PPU_COUNTER_ROW_UPDATES),
                 b.counter(PPU_COUNTER_ROW_UPDATES));
  if (a.timed() && b.timed()) {
    compare.number("cycles", a.counter(PPU_COUNTER_CYCLES), b.counter(PPU_COUNTER_CYCLES));
    compare.number("device cycles", a.report.device_cycles, b.report.device_cycles);
  }
  return compare.lines();
}

}  // namespace ppu::sim
