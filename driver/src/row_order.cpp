// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row orders by name, and their cache.
#include "row_order.hpp"

#include <numeric>
#include <utility>

#include "colour.hpp"
#include "failure.hpp"
#include "scheduler.hpp"

namespace ppu::driver {

RowOrder order_rows(const RowGraph& graph, ppu_order order, std::uint32_t latency) {
  switch (order) {
    case PPU_ORDER_ENGINE: {
      RowOrder identity(graph.rows());
      std::iota(identity.begin(), identity.end(), 0U);
      return identity;
    }
    case PPU_ORDER_SCHEDULED:
      return schedule(graph, latency);
    case PPU_ORDER_COLOUR:
      return colour_order(graph);
  }
  fail(PPU_ERROR_INVALID_ARGUMENT, "order is ", static_cast<int>(order), ", expected a ppu_order");
}

const RowOrder& OrderCache::get(RowGraph graph, ppu_order order, std::uint32_t latency) {
  if (misses_ > 0 && kind_ == order && latency_ == latency && graph_ == graph) return order_;
  order_ = order_rows(graph, order, latency);
  graph_ = std::move(graph);
  kind_ = order;
  latency_ = latency;
  ++misses_;
  return order_;
}

}  // namespace ppu::driver
