// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Rows as a graph: what belongs together, and the last row on each body.
#include <gtest/gtest.h>

#include <array>

#include "model/graph/connected.hpp"
#include "model/graph/last_rows.hpp"

namespace ppu::model {
namespace {

using Before = std::array<std::uint32_t, 2>;

TEST(Connected, RowsWithABodyInCommonBelongTogether) {
  const Connected connected({{0, 1}, {2, -1}, {1, 3}}, {-1, -1, -1}, 4);
  EXPECT_EQ(connected.of_row(0), connected.of_row(2));
  EXPECT_EQ(connected.of_body(0), connected.of_body(3));
  EXPECT_EQ(connected.of_row(1), connected.of_body(2));
  EXPECT_NE(connected.of_row(0), connected.of_row(1));
}

TEST(Connected, ARowBelongsTogetherWithItsParent) {
  const std::vector<Bodies> bodies = {{0, -1}, {1, -1}, {-1, -1}};
  const Connected apart(bodies, {-1, -1, -1}, 2);
  EXPECT_NE(apart.of_body(0), apart.of_body(1));
  EXPECT_NE(apart.of_body(0), apart.of_row(2));
  const Connected joined(bodies, {-1, 0, 1}, 2);
  EXPECT_EQ(joined.of_body(0), joined.of_body(1));
  EXPECT_EQ(joined.of_body(0), joined.of_row(2));
}

TEST(Connected, TheStaticWorldConnectsNothing) {
  const Connected connected({{0, -1}, {-1, 1}, {-1, -1}}, {-1, -1, -1}, 3);
  EXPECT_NE(connected.of_row(0), connected.of_row(1));
  EXPECT_NE(connected.of_row(0), connected.of_row(2));
  EXPECT_NE(connected.of_body(2), connected.of_body(0)) << "no row names it";
}

TEST(Connected, AChainIsOneSetHoweverItIsNumbered) {
  constexpr std::int32_t kBodies = 50;
  std::vector<Bodies> bodies;
  for (std::int32_t i = 0; i + 1 < kBodies; ++i)
    bodies.push_back({i * 7 % kBodies, (i + 1) * 7 % kBodies});
  const Connected connected(bodies, std::vector<std::int32_t>(bodies.size(), -1), kBodies);
  for (std::size_t row = 0; row < bodies.size(); ++row)
    EXPECT_EQ(connected.of_row(row), connected.of_body(0));
  for (std::size_t body = 0; body < kBodies; ++body)
    EXPECT_EQ(connected.of_body(body), connected.of_body(0));
}

TEST(LastRows, AreThoseBeforeARowOnEachOfItsBodies) {
  LastRows last(4);
  EXPECT_EQ(last.replace({0, 1}, 0), (Before{kNoRow, kNoRow}));
  EXPECT_EQ(last.replace({1, -1}, 1), (Before{0, kNoRow}));
  EXPECT_EQ(last.replace({-1, 2}, 2), (Before{kNoRow, kNoRow}));
  EXPECT_EQ(last.replace({0, 1}, 3), (Before{0, 1}));
  EXPECT_EQ(last.rows(), (std::vector<std::uint32_t>{3, 3, 2, kNoRow}));
}

}  // namespace
}  // namespace ppu::model
