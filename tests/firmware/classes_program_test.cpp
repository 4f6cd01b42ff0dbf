// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The program `classes`: which range of rows it visits in which sweep, and what it counts when the
// budget ends it.
#include "tests/firmware/recorded_run.hpp"

namespace ppu::firmware {
namespace {

using test::Play;
using test::RecordedRun;
using test::run;

using Range = std::pair<std::uint32_t, std::uint32_t>;
using Ranges = std::vector<Range>;

/// Rows of the three classes, then their sweeps.
Play classes(std::array<std::uint32_t, 3> rows, std::array<std::uint32_t, 3> sweeps) {
  Play play;
  play.rows = rows[0] + rows[1] + rows[2];
  play.class_rows = {rows[0], rows[1]};
  play.class_sweeps = {sweeps[0], sweeps[1]};
  play.sweeps = sweeps[2];
  return play;
}

/// The passes sweep by sweep, as they should be.
std::vector<Ranges> expected_sweeps(const std::array<std::uint32_t, 3>& rows,
                                    const std::array<std::uint32_t, 3>& sweeps) {
  std::vector<Ranges> all;
  for (std::uint32_t sweep = 0;; ++sweep) {
    Ranges passes;
    std::uint32_t first = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      if (rows[i] != 0 && sweep < sweeps[i]) passes.emplace_back(first, rows[i]);
      first += rows[i];
    }
    if (passes.empty()) return all;
    all.push_back(passes);
  }
}

/// Calls `check` with all small cases.
template <typename Check>
void for_all_cases(Check check) {
  for (std::uint32_t empty = 0; empty < 8; ++empty) {
    const std::array<std::uint32_t, 3> rows = {empty & 1U ? 0U : 2U, empty & 2U ? 0U : 3U,
                                               empty & 4U ? 0U : 4U};
    for (std::uint32_t i = 0; i < 64; ++i) check(rows, {i % 4, i / 4 % 4, i / 16});
  }
}

TEST(Classes, VisitARangeWhileItHasSweepsLeft) {
  const RecordedRun done = run("classes", classes({2, 3, 4}, {3, 0, 1}));
  EXPECT_EQ(done.ranges, (Ranges{{0, 2}, {5, 4}, {0, 2}, {0, 2}}));
  EXPECT_EQ(done.progress, 3U);
}

TEST(Classes, RunThePassesOfEveryCaseInTheirOrder) {
  for_all_cases([](const auto& rows, const std::array<std::uint32_t, 3>& sweeps) {
    Ranges expected;
    const std::vector<Ranges> all = expected_sweeps(rows, sweeps);
    for (const Ranges& sweep : all) expected.insert(expected.end(), sweep.begin(), sweep.end());
    const RecordedRun done = run("classes", classes(rows, sweeps));
    EXPECT_EQ(done.ranges, expected);
    EXPECT_EQ(done.progress, all.size());
  });
}

TEST(Classes, CountTheSweepsOfWhichNoPassWasCut) {
  for_all_cases([](const auto& rows, const std::array<std::uint32_t, 3>& sweeps) {
    const std::vector<Ranges> all = expected_sweeps(rows, sweeps);
    for (std::size_t in_time = 0; in_time < 9; ++in_time) {
      std::size_t whole = 0;
      std::size_t passes = 0;
      for (const Ranges& sweep : all) {
        passes += sweep.size();
        if (passes <= in_time) ++whole;
      }
      for (const bool seen_late : {false, true}) {
        Play play = classes(rows, sweeps);
        play.passes_in_time = in_time;
        play.late_is_seen_late = seen_late;
        EXPECT_EQ(run("classes", play).progress, whole) << in_time << " passes in time";
      }
    }
  });
}

}  // namespace
}  // namespace ppu::firmware
