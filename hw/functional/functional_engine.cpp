// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/functional/functional_engine.hpp"

#include <algorithm>

#include "hw/contract/run_stop.hpp"
#include "hw/program/known_control.hpp"
#include "hw/program/row_state.hpp"

namespace ppu::hw {
namespace {

class FunctionalRowUnit final : public ComputingRowUnit {
 public:
  FunctionalRowUnit(const RowRecords& records, const RunCommand& command, RowState& state,
                    bool streamed, bool dataflow, const std::atomic<bool>& cancel,
                    Counters& counters, std::atomic<std::uint32_t>* progress)
      : ComputingRowUnit(state, counters),
        expanded_(command.reduced ? records.first(command.row_count) : std::vector<ppu_row>()),
        rows_(command.reduced ? expanded_.data() : records.in_place()),
        command_(command),
        state_(state),
        streamed_(streamed),
        cancel_(cancel),
        counters_(counters),
        progress_(progress),
        census_(records, command.row_count) {
    if (streamed_) return;
    check_rows(0, command.row_count);
    // Dataflow issue looks at all bodies before the first row.
    if (dataflow)
      for (std::uint32_t slot = 0; slot < command.row_count; ++slot) check_bodies(slot);
  }

  /// Looks for a cancel now and then, and at the quota.
  void check_cancel(std::uint64_t instructions) const {
    constexpr std::uint64_t kPeriod = 256;
    const bool spent = command_.quota != 0 && instructions >= command_.quota;
    if (spent || (instructions % kPeriod == 0 && cancel_))
      throw RunStop{PPU_RUN_CANCELLED, PPU_NONE, PPU_FAULT_NONE, {}};
  }

  void spend(int /*cycles*/) override {}
  bool drain() override { return true; }
  void signal(std::uint32_t value) override { *progress_ = value; }
  bool set_budget(std::uint32_t cycles) override { return cycles == 0; }
  std::optional<std::uint32_t> cut_passes() override { return 0; }

  bool queue_pass(const LoadedKernel& kernel, std::uint32_t first, std::uint32_t count) override {
    check_cancel(0);
    if (kernel.extrapolates()) state_.set.keep_leads();
    if (streamed_)
      counters_[PPU_COUNTER_ROW_BYTES_STREAMED] +=
          RowRecords::bytes(command_.reduced, first, count);
    with_known_control(kernel.control, [&](auto control) { pass(control, kernel, first, count); });
    return true;
  }

 private:
  void check_rows(std::uint32_t first, std::uint32_t count) const {
    for (std::uint32_t slot = first; slot < first + count; ++slot)
      check_row(rows_[slot], slot, command_);
  }

  void check_bodies(std::uint32_t slot) const {
    if (state_.flipped.is_lost(PPU_FAULT_ROW_BODIES, slot)) throw state_.flipped.stop(slot);
  }

  // Stores to the working set could change any member, as far as the compiler knows: the loop works
  // on copies.
  template <class Control>
  void pass(Control control, const LoadedKernel& kernel, std::uint32_t first, std::uint32_t count) {
    const RowState::View state = state_.view();
    const ppu_row* const rows = rows_;
    const bool flips = state_.flipped.flip.memory != PPU_FAULT_NONE;
    RowSums sums;
    float max_residual = state_.max_residual;
    for (std::uint32_t slot = first; slot < first + count; ++slot) {
      const ppu_row& row = rows[slot];
      if (flips) check_bodies(slot);
      if (streamed_) check_row(row, slot, command_);
      if (control.filter() == spec::Filter::kOn) {
        if (!state.is_live(row)) continue;
        sums.add(row);
      }
      if (!state.update(control, row, slot, &sums, &max_residual)) stop_at_fault(kernel, slot);
    }
    state_.max_residual = max_residual;
    if (kernel.filters())
      counters_[PPU_COUNTER_ROWS_FILTERED] += count - sums.rows;
    else
      census_.add(first, count, &sums);
    sums.count(kernel, &counters_);
  }

  [[noreturn, gnu::cold, gnu::noinline]] void stop_at_fault(const LoadedKernel& kernel,
                                                            std::uint32_t slot) const {
    throw state_.fault(kernel, rows_[slot], slot);
  }

  std::vector<ppu_row> expanded_;  ///< Records that come in the reduced form.
  const ppu_row* rows_;
  const RunCommand& command_;
  RowState& state_;
  bool streamed_;
  const std::atomic<bool>& cancel_;
  Counters& counters_;
  std::atomic<std::uint32_t>* progress_;
  RowCensus census_;
};

}  // namespace

void FunctionalEngine::load_program(std::uint32_t address, const std::uint32_t* words,
                                    std::uint32_t count) {
  words_.load(address, words, count, flip_);
}

RunReport FunctionalEngine::run(const RunCommand& command, const std::atomic<bool>& cancel,
                                std::atomic<std::uint32_t>* progress) {
  RunReport report;
  report.command = command.command;
  try {
    RowState state(command);
    state.set = WorkingSet::load(memory_, command);
    const RowRecords records(memory_, command);
    state.flipped.flip = flip_;
    FunctionalRowUnit unit(records, command, state, is_streamed(config_, command),
                           config_.dataflow != 0, cancel, report.counters, progress);
    Sequencer sequencer({words_, command.entry, command.program_words}, command, &report);
    while (sequencer.step(unit) != Sequencer::Step::kHalted)
      unit.check_cancel(report.counters[PPU_COUNTER_INSTRUCTIONS]);
    const std::optional<RunStop> lost = state.flipped.check_store(&state.set, &state.set);
    state.set.store(memory_, command);
    if (lost) throw RunStop(*lost);
    report.counters[PPU_COUNTER_WORDS_CORRECTED] += state.flipped.corrected;
  } catch (const RunStop& stop) {
    report_stop(stop, &report);
  }
  flip_ = {};
  return report;
}

}  // namespace ppu::hw
