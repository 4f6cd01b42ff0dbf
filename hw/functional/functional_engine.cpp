// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/functional/functional_engine.hpp"

#include <algorithm>
#include <cstring>

#include "hw/contract/run_stop.hpp"
#include "hw/program/body_tags.hpp"
#include "hw/program/known_control.hpp"
#include "hw/program/working_set.hpp"

namespace ppu::hw {
namespace {

class FunctionalRowUnit final : public RowUnit {
 public:
  FunctionalRowUnit(const RowRecords& records, const RunCommand& command, WorkingSet* set,
                    bool streamed, const std::atomic<bool>& cancel, Counters* counters,
                    std::atomic<std::uint32_t>* progress)
      : expanded_(command.reduced ? records.first(command.row_count) : std::vector<ppu_row>()),
        rows_(command.reduced ? expanded_.data() : records.in_place()),
        command_(command),
        set_(set),
        streamed_(streamed),
        cancel_(cancel),
        counters_(counters),
        progress_(progress),
        census_(records, command.row_count),
        tags_(command.body_count) {
    if (!streamed_) check_rows(0, command.row_count);
  }

  /// Looks for a cancel now and then.
  void check_cancel(std::uint64_t instructions) const {
    constexpr std::uint64_t kPeriod = 256;
    if (instructions % kPeriod == 0 && cancel_)
      throw RunStop{PPU_RUN_CANCELLED, PPU_NONE, PPU_FAULT_NONE, {}};
  }

  void spend(int /*cycles*/) override {}
  bool drain() override { return true; }
  void signal(std::uint32_t value) override { *progress_ = value; }
  void tag_all() override { tags_.set_all(); }
  void tag_next() override { tags_.advance(); }
  bool set_budget(std::uint32_t cycles) override { return cycles == 0; }
  std::optional<std::uint32_t> cut_passes() override { return 0; }

  void set_mark_threshold(std::uint32_t bits) override {
    std::memcpy(&mark_threshold_, &bits, sizeof bits);
  }

  void set_lead_factor(std::uint32_t bits) override {
    std::memcpy(&set_->lead_factor, &bits, sizeof bits);
  }
  void rebase() override { set_->rebase(counters_); }
  bool go_ahead() override { return set_->go_ahead(counters_); }

  std::uint32_t take_max_residual() override {
    std::uint32_t bits;
    std::memcpy(&bits, &max_residual_, sizeof bits);
    max_residual_ = 0;
    return bits;
  }

  bool queue_pass(const LoadedKernel& kernel, std::uint32_t first, std::uint32_t count) override {
    check_cancel(0);
    if (kernel.leads()) set_->keep_leads();
    if (streamed_)
      counters_->at(PPU_COUNTER_ROW_BYTES_STREAMED) +=
          RowRecords::bytes(command_.reduced, first, count);
    with_known_control(kernel.control, [&](auto control) { pass(control, kernel, first, count); });
    return true;
  }

 private:
  void check_rows(std::uint32_t first, std::uint32_t count) const {
    for (std::uint32_t slot = first; slot < first + count; ++slot)
      check_row(rows_[slot], slot, command_);
  }

  // Stores to the working set could change any member, as far as the compiler knows: the loop works
  // on copies.
  template <class Control>
  void pass(Control control, const LoadedKernel& kernel, std::uint32_t first, std::uint32_t count) {
    const WorkingSet::View set = set_->view();
    const ppu_row* const rows = rows_;
    constexpr auto kFilters = spec::Filter::kOn;
    constexpr auto kMarks = spec::Mark::kOn;
    RowSums sums;
    float max_residual = max_residual_;
    for (std::uint32_t slot = first; slot < first + count; ++slot) {
      const ppu_row& row = rows[slot];
      if (streamed_) check_row(row, slot, command_);
      if (control.filter() == kFilters) {
        if (!tags_.live(row)) continue;
        sums.add(row);
      }
      if (model::is_held(control, row.parent != PPU_NONE, set.parent_impulse(row))) {
        sums.skip(row);
        continue;
      }
      model::RowOperands in = set.operands(row, slot);
      if (control.mark() == kMarks) in.mark_threshold = mark_threshold_;
      if (control.lead() == spec::Lead::kOn) set.add_lead(slot, &in);
      const model::RowResult out = model::update_free_row(control, in);
      if (out.fault) stop_at_fault(kernel, slot);
      if (control.mark() == kMarks) tags_.mark(row, out);
      if (control.resid() != spec::Resid::kNone)
        max_residual = std::max(max_residual, out.residual);
      set.commit(control, row, slot, out);
    }
    max_residual_ = max_residual;
    if (control.filter() == kFilters)
      counters_->at(PPU_COUNTER_ROWS_FILTERED) += count - sums.rows;
    else
      census_.add(first, count, &sums);
    sums.count(kernel, counters_);
  }

  /// Computes the row again to say what went wrong: in the loop a result is never in memory.
  [[noreturn, gnu::cold, gnu::noinline]] void stop_at_fault(const LoadedKernel& kernel,
                                                            std::uint32_t slot) const {
    model::RowOperands in = set_->view().operands(rows_[slot], slot);
    if (kernel.leads()) set_->view().add_lead(slot, &in);
    throw row_fault(slot, model::update_row(kernel.control, in));
  }

  std::vector<ppu_row> expanded_;  ///< Records that come in the reduced form.
  const ppu_row* rows_;
  const RunCommand& command_;
  WorkingSet* set_;
  bool streamed_;
  const std::atomic<bool>& cancel_;
  Counters* counters_;
  std::atomic<std::uint32_t>* progress_;
  RowCensus census_;
  BodyTags tags_;
  float mark_threshold_ = 0;
  float max_residual_ = 0;
};

}  // namespace

void FunctionalEngine::load_program(std::uint32_t address, const std::uint32_t* words,
                                    std::uint32_t count) {
  std::copy_n(words, count, words_.begin() + address);
}

RunReport FunctionalEngine::run(const RunCommand& command, const std::atomic<bool>& cancel) {
  RunReport report;
  report.command = command.command;
  try {
    WorkingSet set = WorkingSet::load(memory_, command);
    const RowRecords records(memory_, command);
    FunctionalRowUnit unit(records, command, &set, is_streamed(config_, command), cancel,
                           &report.counters, &progress_);
    Sequencer sequencer({&words_[command.entry], command.program_words}, command, &report);
    while (sequencer.step(unit) != Sequencer::Step::kHalted)
      unit.check_cancel(report.counters[PPU_COUNTER_INSTRUCTIONS]);
    set.store(memory_, command);
  } catch (const RunStop& stop) {
    report_stop(stop, &report);
  }
  return report;
}

}  // namespace ppu::hw
