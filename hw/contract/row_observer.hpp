// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Sees every row that a timed engine issues: the seam for lockstep checkers and traces.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/arithmetic/row_arithmetic.hpp"

namespace ppu::hw {

/// One row on its way through the engine; cycles count from the first instruction of the program.
struct RowEvent {
  std::uint32_t slot;
  std::uint32_t pipe;
  spec::ControlWord control;
  const ppu_row& row;
  std::uint64_t enter_cycle;   ///< Its operands enter the row pipe.
  std::uint64_t retire_cycle;  ///< The result leaves the row pipe.
  const model::RowOperands& operands;
  const model::RowResult& result;
};

/// All calls may throw RunStop to end the run.
class RowObserver {
 public:
  virtual ~RowObserver() = default;
  /// The first instruction of a run executes in this cycle of the device.
  virtual void begin_run(std::uint64_t cycle) = 0;
  virtual void on_row(const RowEvent& event) = 0;
  /// No row is in flight any more in `cycle`.
  virtual void on_drained(std::uint64_t cycle) = 0;
  /// The program reads and clears the residual maximum; always after on_drained().
  virtual void on_residual(float residual) = 0;
  /// Rows checked since it was made.
  [[nodiscard]] virtual std::uint64_t rows_checked() const = 0;
};

/// One for each engine, or none at all.
using RowObservers = std::vector<std::unique_ptr<RowObserver>>;

}  // namespace ppu::hw
