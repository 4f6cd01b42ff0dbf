// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/stepping/cut_point.hpp"

#include <array>

namespace ppu::hw {
namespace {

constexpr std::array kCounters = {PPU_COUNTER_INSTRUCTIONS, PPU_COUNTER_KERNEL_WORDS,
                                  PPU_COUNTER_ROW_PASSES, PPU_COUNTER_PASSES_CUT};

bool agree(const RunReport& walk, const RunReport& device) {
  for (const ppu_counter counter : kCounters)
    if (walk.counters[counter] != device.counters[counter]) return false;
  return walk.progress == device.progress && walk.last_residual == device.last_residual;
}

/// Goes on to the end, or until more has been executed than the device did.
void finish(SteppingEngine& engine, const RunReport& device) {
  const auto executed = [&engine] {
    return engine.state().report.counters[PPU_COUNTER_INSTRUCTIONS];
  };
  while (engine.at() != SteppingEngine::At::kEnd &&
         executed() <= device.counters[PPU_COUNTER_INSTRUCTIONS])
    engine.step();
}

}  // namespace

bool find_cut_point(SteppingEngine& engine, ObservedRun& observed, const RunReport& device) {
  const SteppingEngine::State begin = engine.state();
  // All guesses are alike up to the last row of the log.
  while (engine.at() != SteppingEngine::At::kEnd &&
         engine.state().rows_issued + 1 < observed.rows.size())
    engine.step();
  const SteppingEngine::State last_row = engine.state();
  bool found = false;
  for (std::uint32_t passes = 0; !found; ++passes) {
    bool used = false;
    for (std::uint32_t looks = 0; !found; ++looks) {
      observed.cut = {passes, looks};
      engine.restore(last_row);
      finish(engine, device);
      used = used || engine.state().whole_passes == passes;
      found = agree(engine.state().report, device);
      if (engine.state().early_looks < looks) break;
    }
    if (!used) break;
  }
  engine.restore(begin);
  return found;
}

}  // namespace ppu::hw
