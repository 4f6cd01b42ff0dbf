// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The row pipe and its stages, as rtl/pipe has them. A row takes its number of the cycle along:
// each stage adds its part of the row arithmetic to the row, and its cycles to that number.
#pragma once

#include <cstdint>

#include "hw/contract/config.hpp"
#include "model/arithmetic/row_arithmetic.hpp"

namespace ppu::hw {

/// What goes from block to block of an engine.
struct RowInPipe {
  /// Both without the impulses and the velocities.
  PPU_INLINE RowInPipe(const ppu_row& of, std::uint32_t in_slot, std::uint64_t in_cycle)
      : row(&of), slot(in_slot), cycle(in_cycle), operands(model::operands_of(of)) {}

  const ppu_row* row;  ///< In row memory.
  std::uint32_t slot;
  std::uint64_t cycle;  ///< In which it is where it has come to.
  model::RowOperands operands;
  model::DotProduct dot;    ///< Behind the dot lanes.
  model::RowResult result;  ///< Behind the step; its velocities behind the scaled-add lanes.
};

/// Multiplies J by v, and adds.
class DotLanes {
 public:
  explicit DotLanes(const Config& config);
  template <class Control>
  PPU_INLINE void take(Control control, RowInPipe* row) const {
    const model::Lanes v = model::Lanes::load(row->operands.velocity.data());
    row->dot = model::dot(control, row->operands, v);
    row->cycle += cycles_;
  }
  [[nodiscard]] std::uint64_t cycles() const { return cycles_; }

 private:
  std::uint64_t cycles_;
};

/// The step, and its clamp.
class RowStep {
 public:
  explicit RowStep(const Config& config);
  template <class Control>
  PPU_INLINE void take(Control control, RowInPipe* row) const {
    row->result = model::step(control, row->operands, row->dot);
    row->cycle += cycles_;
  }
  [[nodiscard]] std::uint64_t cycles() const { return cycles_; }

 private:
  std::uint64_t cycles_;
};

/// Multiplies JM by the change of the impulse, and adds it to v.
class AxpyLanes {
 public:
  explicit AxpyLanes(const Config& config);
  template <class Control>
  PPU_INLINE void take(Control control, RowInPipe* row) const {
    const model::Lanes v = model::Lanes::load(row->operands.velocity.data());
    model::axpy(control, row->operands, v, row->result);
    row->cycle += cycles_;
  }
  [[nodiscard]] std::uint64_t cycles() const { return cycles_; }

 private:
  std::uint64_t cycles_;
};

/// A row with its operands goes in, one with its result comes out. Nothing is computed of a row
/// that is held.
class RowPipe {
 public:
  /// All must last.
  void connect(const DotLanes& dot, const RowStep& step, const AxpyLanes& axpy) {
    dot_ = &dot;
    step_ = &step;
    axpy_ = &axpy;
  }

  template <class Control>
  PPU_INLINE void take(Control control, RowInPipe* row) const {
    if (model::is_held(control, row->operands.has_parent, row->operands.parent_impulse)) {
      model::hold(row->operands, row->result);
      row->cycle += dot_->cycles() + step_->cycles() + axpy_->cycles();
      return;
    }
    dot_->take(control, row);
    step_->take(control, row);
    axpy_->take(control, row);
  }

 private:
  const DotLanes* dot_ = nullptr;
  const RowStep* step_ = nullptr;
  const AxpyLanes* axpy_ = nullptr;
};

}  // namespace ppu::hw
