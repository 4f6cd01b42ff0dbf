// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A solve beside double precision, row update by row update, whatever its kernels do.
#pragma once

#include <cstdint>
#include <string>

#include "sim/solve/solver.hpp"

namespace ppu::sim {

struct RowCheck {
  std::uint64_t updates = 0;  ///< Row updates that were compared.
  /// How far the worst value is from its double, of what rounding to float32 allows there.
  double share = 0;
  std::string worst;    ///< "dx of row 17 in pass 3"; empty if all are exact.
  std::string missing;  ///< Why the rows could not be compared; empty if they were.
  [[nodiscard]] bool holds() const { return missing.empty() && share <= 1; }
};

/// Repeats `result`, a solve of `problem` with `options`, on the host a row at a time, which must
/// give the same bits, and interprets every row update in double precision.
RowCheck check_rows(const model::RowProblem& problem, const Options& options,
                    const SolveResult& result);

}  // namespace ppu::sim
