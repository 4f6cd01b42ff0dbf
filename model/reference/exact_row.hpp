// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// One row update in double precision, interpreted from its control word, and how far from it the
// float32 result may be. Shares nothing with the row arithmetic of the engines.
//
// Every value is carried with the most that its float32 twin can be away from it: each operation
// rounds to half a unit in the last place (2^-24 of the result, or 2^-150) of operands that are off
// themselves. Sums may be added in any order. So a row that is farther away is wrong, not unlucky.
#pragma once

#include "model/arithmetic/row_arithmetic.hpp"

namespace ppu::model {

/// How far a row is from its double.
struct RowDeviation {
  double share = 0;  ///< Of what rounding allows, of the worst value; above 1 the row is wrong.
  const char* value =
      "";  ///< The worst: "u", "t", "x", "dx", "v", "lead", "residual", "mark", "fault".
};

/// `found` is what a row makes of `in` under `control`. A row that faults is compared if its double
/// stays in the range of float32: then it must not fault.
RowDeviation deviation_of(spec::ControlWord control, const RowOperands& in, const RowResult& found);

}  // namespace ppu::model
