// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row orders by name, and colour order.
#include "driver/plan/row_order.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "driver/plan/colour.hpp"
#include "tests/driver/support/problems.hpp"

namespace ppu::driver {
namespace {

TEST(RowOrder, EngineOrderIsTheIdentity) {
  const RowOrder order = order_rows(test::random_graph(1, 50, 5), PPU_ORDER_ENGINE);
  for (std::uint32_t slot = 0; slot < order.size(); ++slot) EXPECT_EQ(order[slot], slot);
  EXPECT_EQ(order.size(), 50U);
}

TEST(Colour, RowsOfOneColourShareNoBodyAndFollowTheirParents) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    const RowGraph graph = test::random_graph(seed, 300, 40);
    const auto colours = colour_rows(graph);
    std::set<std::pair<std::uint32_t, std::int32_t>> used;
    for (std::size_t row = 0; row < graph.rows(); ++row) {
      for (const std::int32_t body : graph.body[row])
        if (body >= 0) {
          ASSERT_TRUE(used.emplace(colours[row], body).second) << "row " << row;
        }
      if (const std::int32_t parent = graph.parent[row]; parent >= 0) {
        ASSERT_LT(colours[static_cast<std::size_t>(parent)], colours[row]);
      }
    }
  }
}

TEST(Colour, OrderGoesColourByColour) {
  const RowGraph graph = test::random_graph(5, 300, 40);
  const auto colours = colour_rows(graph);
  const RowOrder order = colour_order(graph);
  ASSERT_EQ(std::set<std::uint32_t>(order.begin(), order.end()).size(), graph.rows());
  for (std::size_t slot = 1; slot < order.size(); ++slot) {
    const auto before = std::make_pair(colours[order[slot - 1]], order[slot - 1]);
    EXPECT_LT(before, std::make_pair(colours[order[slot]], order[slot]));
  }
}

TEST(RowOrder, HasAnOrderForEachName) {
  const RowGraph graph = test::random_graph(2, 100, 20);
  EXPECT_EQ(order_rows(graph, PPU_ORDER_COLOUR), colour_order(graph));
  EXPECT_EQ(order_rows(graph, PPU_ORDER_SCHEDULED), order_rows(graph, PPU_ORDER_ENGINE));
}

TEST(RowOrder, KeepsRowsInTheirClass) {
  const RowGraph graph = test::random_graph(3, 300, 60);
  for (const ppu_order order : {PPU_ORDER_ENGINE, PPU_ORDER_SCHEDULED, PPU_ORDER_COLOUR}) {
    EXPECT_EQ(order_classes(graph, {0, 0}, order), order_rows(graph, order));
    for (const ClassRows& classes : {ClassRows{100, 50}, ClassRows{0, 120}, ClassRows{300, 0}}) {
      const RowOrder rows = order_classes(graph, classes, order);
      ASSERT_EQ(std::set<std::uint32_t>(rows.begin(), rows.end()).size(), graph.rows());
      const auto class_of = [&classes](std::uint32_t row) {
        return row < classes[0] ? 0 : row < classes[0] + classes[1] ? 1 : 2;
      };
      for (std::uint32_t slot = 0; slot < rows.size(); ++slot)
        ASSERT_EQ(class_of(rows[slot]), class_of(slot)) << "slot " << slot;
    }
  }
}

}  // namespace
}  // namespace ppu::driver
