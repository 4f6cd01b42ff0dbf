// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Islands of bodies, as reports count and number them.
#include "sim/problem/islands.hpp"

#include <gtest/gtest.h>

namespace ppu::sim {
namespace {

using Numbers = std::vector<std::int32_t>;

TEST(SimIslands, AreNumberedByTheirFirstBodies) {
  const Islands islands = find_islands({{3, 4}, {1, -1}, {0, 3}, {-1, -1}}, {-1, -1, -1, -1}, 5);
  EXPECT_EQ(islands.count, 2U);
  EXPECT_EQ(islands.of_body, (Numbers{0, 1, -1, 0, 0})) << "body 2 has no row";
  EXPECT_EQ(islands.of_row, (Numbers{0, 1, 0, -1})) << "the last row has no body";
}

TEST(SimIslands, ARowIsInTheIslandOfItsParentWhateverItsBodies) {
  const std::vector<std::array<std::int32_t, 2>> rows = {{0, -1}, {1, -1}, {-1, -1}};
  EXPECT_EQ(find_islands(rows, {-1, -1, -1}, 2).count, 2U);
  const Islands islands = find_islands(rows, {-1, 0, 0}, 2);
  EXPECT_EQ(islands.count, 1U);
  EXPECT_EQ(islands.of_body, (Numbers{0, 0}));
  EXPECT_EQ(islands.of_row, (Numbers{0, 0, 0}));
}

}  // namespace
}  // namespace ppu::sim
