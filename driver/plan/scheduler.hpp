// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The row scheduler: a last-writer dependency schedule. Rows of one dynamic body keep their order
// and a parent stays before its friction rows, so the result of a sweep has the same bits as the
// engine's order; between those constraints rows are spread so that the row pipes seldom wait.
#pragma once

#include "driver/plan/issue_model.hpp"
#include "driver/plan/row_graph.hpp"

namespace ppu::driver {

/// Slot -> row.
RowOrder schedule(const RowGraph& graph, const Machine& machine);

}  // namespace ppu::driver
