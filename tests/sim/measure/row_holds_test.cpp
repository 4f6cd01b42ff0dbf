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

TEST(RowsBefore, ARowAloneOnItsBodyIsItsOwnOfTheSweepBefore) {
  using Pairs = std::vector<std::array<std::int32_t, 2>>;
  EXPECT_EQ(rows_before({{-1, -1}, {0, -1}, {0, -1}}, {0, 1}),
            (Pairs{{-1, -1}, {1, -1}, {-1, -1}}));
}

TEST(TokenSenders, AreTheRowsBeforeOnTheBodyThatIsWaitedForLongest) {
  std::vector<ppu_row_profile> profile(3);
  profile[0].body_stall = profile[0].body_b_stall = 5;
  profile[1].body_stall = 9;
  profile[1].body_b_stall = 4;
  EXPECT_EQ(token_senders({{0, 1}, {1, 2}, {0, 2}}, {0, 1, 2}, profile), (Rows{1, 0, -1}));
  EXPECT_EQ(token_senders({{0, 1}, {1, 2}, {0, 2}}, {0, 1, 2}, {}), (Rows{-1, -1, -1}))
      << "of a device that keeps no profile";
}

}  // namespace
}  // namespace ppu::sim
