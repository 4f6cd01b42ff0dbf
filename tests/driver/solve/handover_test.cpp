// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Blocks of rows that are copied while the next ones are written: what passes at once.
#include "driver/solve/handover.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

namespace ppu::driver {
namespace {

/// Step by step: the copies in their order, each when it is handed over and the one before has
/// ended, then what the device does besides. Returns the time from the first commands to the end.
double replayed(const std::vector<double>& before, const BlockCopies& copies, double device) {
  const double begin = before.front();
  double free = copies.doorbell + copies.first;
  const std::size_t blocks = before.size() - 1;
  for (std::size_t i = 1; i <= blocks; ++i)
    free = std::max(free, begin - before[i] + copies.doorbell) + copies.each;
  return free + device - copies.first - static_cast<double>(blocks) * copies.each;
}

TEST(Handover, IsAsLongAsTheCopiesOfAllButTheLastBlockWhereTheHostIsSlow) {
  const BlockCopies copies{2, 3, 0};
  EXPECT_DOUBLE_EQ(overlap({100, 70, 40, 0}, copies), 2 + 2 * 3);
}

TEST(Handover, IsAsLongAsTheHostWorksWhereTheDeviceIsSlow) {
  const BlockCopies copies{20, 30, 0};
  EXPECT_DOUBLE_EQ(overlap({3, 2, 1, 0}, copies), 3);
}

TEST(Handover, LosesADoorbellOnTheWay) {
  EXPECT_DOUBLE_EQ(overlap({100, 70, 40, 0}, {2, 3, 1.5}), 6.5);
  EXPECT_DOUBLE_EQ(overlap({1, 0.5, 0}, {0.25, 1, 4}), 0);
}

TEST(Handover, IsNothingWithoutBlocks) {
  EXPECT_EQ(overlap({5}, {2, 3, 0}), 0);
  EXPECT_EQ(overlap({}, {2, 3, 0}), 0);
}

TEST(Handover, IsWhatAReplayOfTheCopiesSaves) {
  const BlockCopies copies{2, 3, 0.5};
  for (const std::vector<double>& before : {std::vector<double>{20, 19, 18, 17, 0},
                                            {20, 3, 2, 1, 0},
                                            {20, 15, 10, 5, 0},
                                            {9, 9, 9, 0}}) {
    const double device = 50;
    const double all = before.front() + device;
    EXPECT_NEAR(overlap(before, copies), all - replayed(before, copies, device), 1e-12);
  }
}

TEST(Handover, NotesWhenEachBlockWasThere) {
  const std::uint32_t block = block_rows(1300);
  ASSERT_EQ(block, 512U);
  Handover handover;
  for (int turn = 0; turn < 2; ++turn) {
    handover.begin(1300);
    handover.reach(511);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    handover.reach(513);
    handover.reach(1300);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    handover.reach(1300);
    handover.end();
    const std::vector<double>& before = handover.before();
    ASSERT_EQ(before.size(), 4U);
    EXPECT_GE(before[0], before[1] + 2e-3);
    EXPECT_GE(before[1], before[2]);
    EXPECT_EQ(before[2], before[3]) << "two blocks ended at once";
    EXPECT_GE(before[3], 1e-3);
  }
}

TEST(Handover, HasFewBlocksOfManyRows) {
  EXPECT_EQ(block_rows(0), 512U);
  EXPECT_EQ(block_rows(256 * 512), 512U);
  EXPECT_EQ(block_rows(256 * 512 + 1), 513U);
}

}  // namespace
}  // namespace ppu::driver
