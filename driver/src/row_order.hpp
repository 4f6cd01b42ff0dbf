// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The orders in which rows can be issued, and the last one computed, kept while the graph stays the
// same.
#pragma once

#include <cstdint>

#include "ppu/ppu.h"
#include "row_graph.hpp"

namespace ppu::driver {

/// Slot -> row. `latency` is the distance of dependent rows in row issues.
RowOrder order_rows(const RowGraph& graph, ppu_order order, std::uint32_t latency);

/// Remembers the last order: a scene's contact graph often stays the same from frame to frame.
class OrderCache {
 public:
  const RowOrder& get(RowGraph graph, ppu_order order, std::uint32_t latency);
  /// Orders computed, not found.
  [[nodiscard]] std::uint64_t misses() const { return misses_; }

 private:
  RowGraph graph_;
  ppu_order kind_ = PPU_ORDER_ENGINE;
  std::uint32_t latency_ = 0;
  RowOrder order_;
  std::uint64_t misses_ = 0;
};

}  // namespace ppu::driver
