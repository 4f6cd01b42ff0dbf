// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "tests/firmware/recorded_run.hpp"

namespace ppu::firmware::test {

RecordedRun run(std::string_view name, const Play& play) {
  const Assembly program = shipped(name);
  hw::RunCommand command;
  command.row_count = play.rows;
  command.reduced = takes_reduced_rows(program);
  const bool classes = name == "classes";
  command.arguments = {play.rows,
                       play.sweeps,
                       classes ? play.class_sweeps[1] : bits_of(play.threshold),
                       play.friction_rule,
                       classes ? play.class_rows[0] : bits_of(play.mark_threshold),
                       play.class_sweeps[0],
                       play.class_rows[1],
                       play.budget};
  hw::RunReport report;
  RecordedRun unit(play);
  const std::vector<std::uint32_t>& words = program.image.words;
  hw::Sequencer sequencer({words.data(), static_cast<std::uint32_t>(words.size())}, command,
                          &report);
  constexpr int kMostSteps = 10'000;
  int steps = 0;
  while (sequencer.step(unit) != hw::Sequencer::Step::kHalted && steps < kMostSteps) ++steps;
  EXPECT_LT(steps, kMostSteps) << name << " does not end";
  unit.progress = report.progress;
  return unit;
}

}  // namespace ppu::firmware::test
