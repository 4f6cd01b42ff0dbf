// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Rows in the order in which they are given, with bodies by their own numbers: one pass from a
// problem's arrays to the records that the device reads, which checks them on the way. What it
// finds is one bit; the sentence is that of problem.hpp.
#pragma once

#include <cstdint>

#include "driver/solve/row_packing.hpp"
#include "ppu/ppu.h"

namespace ppu::driver {

// Both return false if a row or a number must be refused; then what is written means nothing. No
// array of the problem is null.
/// Writes impulses and velocities: 0 unless `warm`.
bool pack_start(const ppu_problem& problem, bool warm, float* impulses, ppu_velocity* velocities);
/// Writes the records of the rows [first, end) to their places in `rows`.
bool pack_given(const ppu_problem& problem, const RowScale& scale, std::uint32_t first,
                std::uint32_t end, ppu_row* rows);

/// Takes the answer into the arrays of the problem.
void unpack_given(const ppu_problem& problem, const float* impulses, const ppu_velocity* velocities,
                  float* impulse, float* velocity_change);

/// False if one of the rows [first, end) of a table, or its impulse, must be refused; there are
/// `body_count` bodies.
bool good_records(const ppu_row* rows, const float* impulses, std::uint32_t first,
                  std::uint32_t end, std::uint32_t body_count);
/// The same for velocities.
bool good_velocities(const ppu_velocity* velocities, std::uint32_t count);
/// Throws the Failure of the first row, impulse or velocity that must be refused.
void refuse_records(const ppu_row* rows, const float* impulses, std::uint32_t row_count,
                    std::uint32_t body_count);
void refuse_velocities(const ppu_velocity* velocities, std::uint32_t count);

}  // namespace ppu::driver
