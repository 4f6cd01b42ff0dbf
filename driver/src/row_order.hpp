// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The orders in which rows can be issued.
#pragma once

#include "issue_model.hpp"
#include "ppu/ppu.h"
#include "row_graph.hpp"

namespace ppu::driver {

/// Slot -> row. Throws Failure (PPU_ERROR_INVALID_ARGUMENT) at an unknown order.
RowOrder order_rows(const RowGraph& graph, ppu_order order, const Machine& machine);

}  // namespace ppu::driver
