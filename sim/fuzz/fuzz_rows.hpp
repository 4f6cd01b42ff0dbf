// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Random rows, impulses and velocities for the fuzz: from those that a solver makes to any bits.
#pragma once

#include <cstdint>
#include <vector>

#include "firmware/random/random_program.hpp"
#include "ppu/ppu.h"

namespace ppu::sim {

enum class RowNature {
  kTame,  ///< As a solver makes them: values around 1, bounds in order.
  kEdge,  ///< With zeros of both signs, subnormal and large values, bounds that are equal or far.
  kHostile,  ///< With any bits: infinities, values that are not numbers, bounds out of order.
};

/// What rows are about.
struct RowPlan {
  std::uint32_t rows = 0;
  std::uint32_t bodies = 0;
  std::uint32_t velocity_banks = 8;
  bool reduced = false;      ///< J stands for M^-1 J^T, too.
  bool independent = false;  ///< Rows share no body as long as there are enough.
  bool parents = true;
};

/// What a run starts from.
struct RowSet {
  std::vector<ppu_row> rows;
  std::vector<float> impulses;
  std::vector<ppu_velocity> velocities;
};

/// All tame. Bodies and parents are those of the run.
RowSet random_rows(firmware::Random& random, const RowPlan& plan);
/// Gives some of the values of a row that nature.
void spoil(firmware::Random& random, RowNature nature, const RowPlan& plan, ppu_row* row);
/// The same for one impulse or velocity of `share`.
void spoil_state(firmware::Random& random, RowNature nature, std::uint32_t share, RowSet* set);
/// Puts an impulse and the bounds of its row at the two ends of the range: their difference is no
/// number.
void set_far_apart(firmware::Random& random, ppu_row* row, float* impulse);
/// Multiplies what has the unit of an impulse or of a velocity by a power of two, up to where
/// everything is subnormal.
void scale(firmware::Random& random, RowSet* set);
/// Makes one of the rows name a body or a parent that a run does not have.
void make_bad_record(firmware::Random& random, RowSet* set);

/// Row records as they lie in device memory.
std::vector<std::uint8_t> row_records(const std::vector<ppu_row>& rows, bool reduced);

}  // namespace ppu::sim
