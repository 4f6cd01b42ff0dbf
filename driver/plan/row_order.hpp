// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The orders in which rows can be visited.
#pragma once

#include <array>
#include <cstdint>

#include "driver/plan/row_graph.hpp"
#include "ppu/ppu.h"

namespace ppu::driver {

/// Of a solve that asks for none: the one place that decides it.
inline constexpr ppu_order kDefaultOrder = PPU_ORDER_ENGINE;

/// True if rows stay as they are. Throws Failure (PPU_ERROR_INVALID_ARGUMENT) at an unknown order.
bool keeps_order(ppu_order order);

/// Slot -> row. Throws Failure (PPU_ERROR_INVALID_ARGUMENT) at an unknown order.
RowOrder order_rows(const RowGraph& graph, ppu_order order);

/// Rows of the first two classes; the other rows are the third one.
using ClassRows = std::array<std::uint32_t, 2>;

/// The same with every class ordered by itself, one after the other.
RowOrder order_classes(const RowGraph& graph, const ClassRows& class_rows, ppu_order order);

}  // namespace ppu::driver
