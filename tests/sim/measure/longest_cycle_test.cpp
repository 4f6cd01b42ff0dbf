// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The longest cycle, against sweeps whose rows go as soon as their bodies are free.
#include "sim/measure/longest_cycle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/sim/measure/rows_on.hpp"

namespace ppu::sim {
namespace {

/// Rows per sweep when all goes on for long: each row takes a step, once its bodies are free.
double steps_per_sweep(const model::RowProblem& problem) {
  constexpr int kSweeps = 2000;
  std::vector<std::uint64_t> free(problem.bodies());
  std::uint64_t half = 0;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (const auto& bodies : problem.body) {
      std::uint64_t step = 0;
      for (const std::int32_t body : bodies)
        if (body >= 0) step = std::max(step, free[static_cast<std::size_t>(body)] + 1);
      for (const std::int32_t body : bodies)
        if (body >= 0) free[static_cast<std::size_t>(body)] = step;
    }
    if (sweep + 1 == kSweeps / 2) half = *std::max_element(free.begin(), free.end());
  }
  return static_cast<double>(*std::max_element(free.begin(), free.end()) - half) / (kSweeps / 2);
}

TEST(LongestCycle, IsOfTheRowsOfABodyIfNoOtherOneIsLonger) {
  const LongestCycle cycle = longest_cycle(rows_on({{0, -1}, {0, -1}, {1, -1}}, 2));
  EXPECT_EQ(cycle.rows, 2U);
  EXPECT_EQ(cycle.sweeps, 1U);
}

TEST(LongestCycle, HasNoRowsWhereNoneNamesABody) {
  EXPECT_EQ(longest_cycle(rows_on({}, 0)).rows, 0U);
  EXPECT_EQ(longest_cycle(rows_on({{-1, -1}}, 0)).rows, 0U);
}

TEST(LongestCycle, IsWhatOverlappingSweepsTakeInTheEnd) {
  std::mt19937 engine(1);
  const auto random = [&engine] { return static_cast<std::uint32_t>(engine()); };
  bool fraction = false;
  for (int n = 0; n < 200; ++n) {
    const std::uint32_t bodies = 2 + random() % 12, rows = 1 + random() % 30;
    std::vector<std::array<std::int32_t, 2>> on;
    for (std::uint32_t row = 0; row < rows; ++row) {
      const auto a = static_cast<std::int32_t>(random() % bodies);
      const auto b = static_cast<std::int32_t>(random() % bodies);
      on.push_back({a, a == b ? -1 : b});
    }
    const model::RowProblem problem = rows_on(on, bodies);
    const LongestCycle cycle = longest_cycle(problem);
    const double ratio = static_cast<double>(cycle.rows) / static_cast<double>(cycle.sweeps);
    // Half of the sweeps is a multiple of few periods: up to one of them is missing.
    EXPECT_NEAR(ratio, steps_per_sweep(problem), 0.05) << n;
    fraction = fraction || cycle.rows % cycle.sweeps != 0;
  }
  EXPECT_TRUE(fraction);
}

}  // namespace
}  // namespace ppu::sim
