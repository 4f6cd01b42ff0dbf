// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row records and impulses as the device reads them: in slot order, parents named by slot.
#pragma once

#include "ppu/ppu.h"
#include "row_graph.hpp"

namespace ppu::driver {

/// Writes row_count records to `rows`. With `impulse_form` b and cfm are scaled as Bullet stores
/// them, -(b*d) and cfm*d, in float32.
void pack_rows(const ppu_problem& problem, const RowOrder& row_of_slot, bool impulse_form,
               ppu_row* rows);

}  // namespace ppu::driver
