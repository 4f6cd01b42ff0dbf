// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row orders by name.
#include "row_order.hpp"

#include <numeric>

#include "colour.hpp"
#include "failure.hpp"
#include "scheduler.hpp"

namespace ppu::driver {

RowOrder order_rows(const RowGraph& graph, ppu_order order, const Machine& machine) {
  switch (order) {
    case PPU_ORDER_ENGINE: {
      RowOrder identity(graph.rows());
      std::iota(identity.begin(), identity.end(), 0U);
      return identity;
    }
    case PPU_ORDER_SCHEDULED:
      return schedule(graph, machine);
    case PPU_ORDER_COLOUR:
      return colour_order(graph);
  }
  fail(PPU_ERROR_INVALID_ARGUMENT, "order is ", static_cast<int>(order), ", expected a ppu_order");
}

}  // namespace ppu::driver
