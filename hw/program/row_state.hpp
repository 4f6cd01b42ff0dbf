// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The state that the rows of a run read and change, and what one row does to it: of engines that
// know no time. The timed engine has it in blocks of their own, see hw/engine/row_path.hpp.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "base/bits/float_bits.hpp"
#include "hw/program/body_tags.hpp"
#include "hw/program/memory_flip.hpp"
#include "hw/program/working_set.hpp"

namespace ppu::hw {

/// What becomes of the result of a row besides impulse and velocities. False if it faults; then
/// nothing has changed.
template <class Control>
[[nodiscard]] PPU_INLINE bool count_result(Control control, const ppu_row& row,
                                           const model::RowResult& result, BodyTags* tags,
                                           RowSums* sums, float* max_residual) {
  if (result.fault) return false;
  if (result.skipped) sums->skip(row);
  if (control.mark() == spec::Mark::kOn) tags->mark(row, result);
  if (control.resid() != spec::Resid::kNone)
    *max_residual = std::max(*max_residual, result.residual);
  return true;
}

struct RowState {
  class View;

  explicit RowState(const RunCommand& command) : tags(command.body_count) {}

  [[nodiscard]] View view();

  /// What the row in `slot` reads and computes now under `kernel`.
  [[nodiscard]] model::RowOperands operands(const LoadedKernel& kernel, const ppu_row& row,
                                            std::uint32_t slot);
  [[nodiscard]] model::RowResult result(const LoadedKernel& kernel, const ppu_row& row,
                                        std::uint32_t slot);
  /// The stop of a row that faults: which value goes wrong. Computes the row again, so that a loop
  /// over rows need not keep any result in memory.
  [[gnu::cold, gnu::noinline]] RunStop fault(const LoadedKernel& kernel, const ppu_row& row,
                                             std::uint32_t slot);

  WorkingSet set{};
  BodyTags tags;
  float max_residual = 0;  ///< Of the rows since it was last read.
  FlippedWord flipped;
};

/// Where a state is. A loop over rows holds it by value, see WorkingSet::View.
class RowState::View {
 public:
  explicit View(RowState& state)
      : set_(state.set.view()),
        tags_(state.tags),
        mark_threshold_(state.tags.threshold),
        flipped_(state.flipped) {}

  [[nodiscard]] PPU_INLINE bool is_live(const ppu_row& row) const { return tags_.live(row); }

  template <class Control>
  [[nodiscard]] PPU_INLINE model::RowOperands operands(Control control, const ppu_row& row,
                                                       std::uint32_t slot) const {
    model::RowOperands in = set_.operands(row, slot);
    in.mark_threshold = mark_threshold_;
    if (control.lead() == spec::Lead::kOn) set_.add_lead(slot, &in);
    return in;
  }

  /// Carries out the row: counts it in `sums` if it is held, else keeps its result. False if it
  /// faults; then nothing has changed.
  template <class Control>
  [[nodiscard]] PPU_INLINE bool update(Control control, const ppu_row& row, std::uint32_t slot,
                                       RowSums* sums, float* max_residual) const {
    if (!flipped_.reads_well(control, row, slot)) return false;
    if (model::is_held(control, row.parent != PPU_NONE, set_.parent_impulse(row))) {
      sums->skip(row);
      return true;
    }
    return keep(control, row, slot, model::update_free_row(control, operands(control, row, slot)),
                sums, max_residual);
  }

  /// The last part of update(), with the result at hand.
  template <class Control>
  [[nodiscard]] PPU_INLINE bool keep(Control control, const ppu_row& row, std::uint32_t slot,
                                     const model::RowResult& result, RowSums* sums,
                                     float* max_residual) const {
    if (!count_result(control, row, result, &tags_, sums, max_residual)) return false;
    set_.commit(control, row, slot, result);
    return true;
  }

 private:
  WorkingSet::View set_;
  BodyTags& tags_;
  float mark_threshold_;
  FlippedWord& flipped_;
};

inline RowState::View RowState::view() {
  return View(*this);
}

/// The row unit of an engine that computes its rows: carries out the instructions that read or
/// change the state between passes.
class ComputingRowUnit : public RowUnit {
 public:
  /// Both must last.
  ComputingRowUnit(RowState& state, Counters& counters) : state_(state), counters_(counters) {}

  std::uint32_t take_max_residual() override {
    return bits_of(std::exchange(state_.max_residual, 0.0F));
  }
  std::optional<bool> residual_exceeds(std::uint32_t bits) override {
    const bool exceeds = bits_of(state_.max_residual) > bits;
    if (exceeds) state_.max_residual = 0;
    return exceeds;
  }
  void set_mark_threshold(std::uint32_t bits) override { state_.tags.threshold = float_of(bits); }
  void tag_all() override { state_.tags.set_all(); }
  void tag_next() override { state_.tags.advance(); }
  void set_lead_factor(std::uint32_t bits) override { state_.set.lead_factor = float_of(bits); }
  void rebase() override {
    check_move(false);
    state_.set.rebase(&counters_);
  }
  bool extrapolate() override {
    if (state_.set.based) check_move(true);
    return state_.set.extrapolate(&counters_);
  }

 private:
  /// Throws RunStop if the instruction is about to read a lost word.
  void check_move(bool ahead) {
    if (const auto lost = state_.flipped.check_move(state_.set, ahead)) throw RunStop(*lost);
  }

  RowState& state_;
  Counters& counters_;
};

}  // namespace ppu::hw
