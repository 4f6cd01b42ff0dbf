// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The rows that hold rows back.
#include "sim/measure/row_holds.hpp"

#include <gtest/gtest.h>

namespace ppu::sim {
namespace {

using Rows = std::vector<std::int32_t>;

TEST(RowsBefore, AreTheOnesThatHaveEachBodyBefore) {
  using Pairs = std::vector<std::array<std::int32_t, 2>>;
  EXPECT_EQ(rows_before({{0, 1}, {1, 2}, {0, 2}}, {0, 1, 2}), (Pairs{{2, 1}, {0, 2}, {0, 1}}));
  EXPECT_EQ(rows_before({{0, 1}, {1, 2}, {0, 2}}, {2, 1, 0}), (Pairs{{2, 1}, {0, 2}, {0, 1}}));
  EXPECT_EQ(rows_before({{0, -1}, {-1, 1}}, {0, 1}), (Pairs{{0, -1}, {-1, 1}}));
}

TEST(LastWriters, AreTheLatestBeforeARowInTheOrderOfSlots) {
  EXPECT_EQ(last_writers({{0, 1}, {1, 2}, {0, 2}}, {0, 1, 2}), (Rows{2, 0, 1}));
  EXPECT_EQ(last_writers({{0, 1}, {1, 2}, {0, 2}}, {2, 1, 0}), (Rows{1, 2, 0}));
}

TEST(LastWriters, ARowAloneOnItsBodyIsItsOwnOfTheSweepBefore) {
  EXPECT_EQ(last_writers({{0, -1}, {-1, 1}}, {0, 1}), (Rows{0, 1}));
}

TEST(LastWriters, RowsWithoutABodyOrASlotHaveNone) {
  EXPECT_EQ(last_writers({{-1, -1}, {0, -1}, {0, -1}}, {0, 1}), (Rows{-1, 1, -1}));
}

}  // namespace
}  // namespace ppu::sim
