// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row orders by name.
#include "driver/plan/row_order.hpp"

#include <algorithm>
#include <numeric>

#include "driver/base/failure.hpp"
#include "driver/plan/colour.hpp"

namespace ppu::driver {
namespace {

/// The graph of `count` rows from `first` on; parents ahead of them are not in it.
RowGraph rows_from(const RowGraph& graph, std::size_t first, std::size_t count) {
  RowGraph part;
  part.body_count = graph.body_count;
  for (std::size_t row = first; row < first + count; ++row) {
    part.body.push_back(graph.body[row]);
    const std::int64_t parent = std::int64_t{graph.parent[row]} - static_cast<std::int64_t>(first);
    part.parent.push_back(parent < 0 ? -1 : static_cast<std::int32_t>(parent));
  }
  return part;
}

}  // namespace

bool keeps_order(ppu_order order) {
  switch (order) {
    case PPU_ORDER_ENGINE:
    case PPU_ORDER_SCHEDULED:
      return true;
    case PPU_ORDER_COLOUR:
      return false;
  }
  fail(PPU_ERROR_INVALID_ARGUMENT, "order is ", static_cast<int>(order), ", expected a ppu_order");
}

RowOrder order_rows(const RowGraph& graph, ppu_order order) {
  if (!keeps_order(order)) return colour_order(graph);
  RowOrder identity(graph.rows());
  std::iota(identity.begin(), identity.end(), 0U);
  return identity;
}

RowOrder order_classes(const RowGraph& graph, const ClassRows& class_rows, ppu_order order) {
  RowOrder whole;
  whole.reserve(graph.rows());
  const auto append = [&](std::size_t wanted) {
    const std::size_t first = whole.size();
    const std::size_t count = std::min(wanted, graph.rows() - first);
    for (const std::uint32_t row : order_rows(rows_from(graph, first, count), order))
      whole.push_back(static_cast<std::uint32_t>(first) + row);
  };
  for (const std::uint32_t rows : class_rows) append(rows);
  append(graph.rows());
  return whole;
}

}  // namespace ppu::driver
