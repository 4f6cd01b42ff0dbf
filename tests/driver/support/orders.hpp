// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What every order of rows must keep, and graphs to try it on.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "driver/plan/row_graph.hpp"
#include "driver/solve/problem.hpp"
#include "tests/driver/support/problems.hpp"

namespace ppu::driver::test {

inline RowOrder identity(const RowGraph& graph) {
  RowOrder order(graph.rows());
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

inline void expect_permutation(const RowOrder& order, const RowGraph& graph) {
  RowOrder sorted = order;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, identity(graph));
}

/// Every row after the previous row of each of its dynamic bodies, and after its parent.
inline void expect_dependencies_kept(const RowGraph& graph, const RowOrder& order) {
  std::vector<std::uint32_t> slots(graph.rows());
  for (std::uint32_t slot = 0; slot < order.size(); ++slot) slots[order[slot]] = slot;
  std::vector<std::int64_t> last_slot(graph.body_count, -1);
  for (std::size_t row = 0; row < graph.rows(); ++row) {
    for (const std::int32_t body : graph.body[row]) {
      if (body < 0) continue;
      std::int64_t& last = last_slot[static_cast<std::size_t>(body)];
      ASSERT_LT(last, slots[row]) << "row " << row << ", body " << body;
      last = slots[row];
    }
    if (const std::int32_t parent = graph.parent[row]; parent >= 0) {
      ASSERT_LT(slots[static_cast<std::size_t>(parent)], slots[row]) << "row " << row;
    }
  }
}

/// The graph of a file of tests/data.
inline RowGraph graph_of_file(const char* file) {
  const model::RowProblem problem = read_test_data(file);
  return graph_of(view(problem));
}

}  // namespace ppu::driver::test
