// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// One list schedule: cycle by cycle, by the rules of the issue stage, the ready rows with the most
// urgent deadlines that fit together.
#pragma once

#include <cstdint>
#include <vector>

#include "driver/plan/dependencies.hpp"
#include "driver/plan/issue_model.hpp"
#include "driver/plan/row_graph.hpp"

namespace ppu::driver {

/// Earliest issue of each row and the time by which it should have issued.
struct Timing {
  std::vector<Cycle> release;
  std::vector<Cycle> deadline;
};

/// Moves every deadline ahead of the deadlines of the rows that wait for the row.
void propagate_deadlines(const Dependencies& rows, std::vector<Cycle>& deadline);

/// Slot -> row. No row is released later than latency + 1.
RowOrder list_schedule(const RowGraph& graph, const Dependencies& rows, const Machine& machine,
                       Timing timing);

}  // namespace ppu::driver
