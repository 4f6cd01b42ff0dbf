// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// When the rows of repeated sweeps issue on one row pipe: in order, one per cycle, each as soon as
// its bodies and its parent are ready.
#pragma once

#include <cstdint>
#include <vector>

#include "row_graph.hpp"

namespace ppu::driver {

/// The steady state of sweeps run back to back.
struct SteadyState {
  /// Cycles from the first issue of a sweep to the first issue of the next.
  std::int64_t period = 0;
  /// Issue of each row after the first issue of its sweep.
  std::vector<std::int64_t> issue;
};

/// Simulates a few sweeps of `order` with latency `latency` and returns the last one.
SteadyState simulate(const RowGraph& graph, const RowOrder& order, std::int64_t latency);

}  // namespace ppu::driver
