// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A row that a test of the row arithmetic fills by hand, and numbers that tell roundings apart.
#pragma once

#include <cstdint>
#include <limits>

#include "base/bits/float_bits.hpp"
#include "model/arithmetic/control.hpp"
#include "model/arithmetic/row_arithmetic.hpp"

namespace ppu::model {

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kTiny = 0x1p-24F;  // Lost when added to 1, but not when two are added first.

/// A row with d = 1, wide bounds and everything else zero, which a test then fills.
struct Row {
  RowVector jacobian{};
  RowVector inv_mass_jacobian{};
  RowOperands operands{};

  Row() {
    operands.inv_diagonal = 1.0F;
    operands.lower = -1e10F;
    operands.upper = 1e10F;
  }
  RowResult update(const RowControl& control = {}) {
    operands.jacobian = jacobian.data();
    operands.inv_mass_jacobian = inv_mass_jacobian.data();
    return update_row(control_word(control), operands);
  }
};

inline RowControl impulse_form() {
  RowControl control;
  control.form = spec::Form::kImpulse;
  return control;
}

}  // namespace ppu::model
