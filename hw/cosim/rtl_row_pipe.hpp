// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The Verilated RTL row pipe (rtl/pipe/ppu_row_pipe.sv) behind one small interface, clock by clock.
// Nothing else in the tree includes Verilator's headers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "hw/contract/config.hpp"
#include "model/arithmetic/row_arithmetic.hpp"

namespace ppu::hw {

/// One row at the pipe's input.
struct RtlRow {
  std::uint32_t tag = 0;  ///< Comes back with the result; unique among rows in flight.
  spec::ControlWord control;
  /// Pointers must stay valid until the result is out; rows in flight have one mark threshold.
  model::RowOperands operands{};
};

/// One row at the pipe's output.
struct RtlResult {
  std::uint32_t tag = 0;
  model::RowResult values;  ///< The residual is 0 for a quotient: that comes later, see below.
};

class RtlRowPipe {
 public:
  virtual ~RtlRowPipe() = default;

  /// A pipe in reset state, built for the lanes and FP stages of `config`. `seed` randomises what
  /// reset does not set. Throws ConfigError naming the configurations that were built if there is
  /// none.
  static std::unique_ptr<RtlRowPipe> create(const Config& config, int seed = 1);

  /// Writes FST waves of cycles [first, last] of the device to `path`, see show_from(). Throws
  /// ConfigError.
  virtual void open_wave(const std::string& path, std::uint64_t first, std::uint64_t last) = 0;
  /// The next step is this cycle of the device, and waves show it and those that follow. Without a
  /// cycle they show none, as at the beginning.
  virtual void show_from(std::optional<std::uint64_t> cycle) = 0;
  /// Completes the waves. Throws std::runtime_error if they are not complete.
  virtual void close_wave() = 0;

  /// One clock cycle: offers `row` (null: none) and moves to the next cycle.
  struct Step {
    bool accepted = false;  ///< The offered row entered in this cycle.
    const RtlResult* result =
        nullptr;  ///< Result that leaves in this cycle; valid until the next step.
  };
  /// Throws std::runtime_error if the RTL asks for operands of another row than the next one.
  virtual Step step(const RtlRow* row) = 0;

  /// Number of steps taken since reset.
  [[nodiscard]] virtual std::uint64_t cycle() const = 0;

  /// The residual maximum accumulated in the RTL from rows that have left the pipe; clears it. A
  /// quotient counts `fp_div_stages` cycles after its row has left.
  virtual float take_max_residual() = 0;

  /// RTL assertions that have failed so far.
  [[nodiscard]] virtual int assertion_failures() const = 0;
};

}  // namespace ppu::hw
