// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What no order of the rows can beat.
#include "sim/measure/sweep_bound.hpp"

#include <gtest/gtest.h>

#include "tests/sim/measure/rows_on.hpp"

namespace ppu::sim {
namespace {

TEST(SweepBound, AChainGoesFromRowToRowOverTheirBodies) {
  // Rows 0, 2 and 3 follow each other; row 1 is on a body of its own.
  const model::RowProblem problem = rows_on({{0, 1}, {4, -1}, {1, 2}, {-1, 2}}, 6);
  EXPECT_EQ(chain_of_bodies(problem), (std::vector<std::uint64_t>{1, 2, 3, 0, 1, 0}));
}

TEST(SweepBound, OneEngineTakesAllRowsThatParentsHoldTogether) {
  hw::Config config;
  config.pipes = 1;
  const auto interval = static_cast<std::uint64_t>(hw::initiation_interval(config));
  model::RowProblem problem = rows_on({{0, -1}, {1, -1}, {2, -1}, {3, -1}}, 4);
  EXPECT_EQ(sweep_bound(problem, config, 2).pipe_cycles, 2 * interval);
  problem.parent = {-1, 0, 0, -1};
  EXPECT_EQ(sweep_bound(problem, config, 2).pipe_cycles, 3 * interval);
}

}  // namespace
}  // namespace ppu::sim
