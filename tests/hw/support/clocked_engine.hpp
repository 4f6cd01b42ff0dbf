// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// An engine clocked tick by tick, with busy counters instead of timestamps: slow, plain, and the
// judge of the timed engine's cycles. It follows docs/inside/device.md (Engine) from the first
// instruction to the end of the program: which row goes when, the class of every cycle, and which
// cycle is the last one. A row is computed when it issues.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "hw/contract/engine_port.hpp"
#include "hw/program/sequencer.hpp"
#include "hw/program/working_set.hpp"
#include "tests/hw/support/clocked_hazards.hpp"
#include "tests/hw/support/clocked_leads.hpp"
#include "tests/hw/support/clocked_rows.hpp"

namespace ppu::hw::test {

class ClockedEngine final : private RowUnit {
 public:
  /// What a run leaves behind; the report has no times of load and store.
  struct Outcome {
    RunReport report;
    WorkingSet set;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> issues;   ///< Cycle and slot.
    std::vector<std::pair<std::uint64_t, std::uint32_t>> signals;  ///< Cycle and value.
    std::vector<std::uint64_t> reads;  ///< Cycles in which a beat of streamed rows was accepted.
    std::uint64_t last_cycle = 0;      ///< That of `halt`, or in which the run ended before it.
  };

  /// `rows` are the records of the run in the full form, `set` is what it starts from. Device
  /// memory takes a beat in cycles that are multiples of `pace`.
  ClockedEngine(const Config& config, const std::vector<ppu_row>& rows, const RunCommand& command,
                WorkingSet set, std::uint64_t pace)
      : config_(config),
        rows_(rows),
        command_(command),
        streamed_(command.stream || rows.size() > config.row_memory_rows),
        hazards_(config, command.body_count, rows.size()),
        tags_(command.body_count),
        next_tags_(command.body_count),
        stream_(config, command.reduced, pace),
        leads_(set.impulses) {
    outcome_.set = std::move(set);
  }

  /// The first instruction executes in cycle `origin`; the run is cancelled in `cancel_cycle`.
  Outcome run(Program program, std::uint64_t origin, std::uint64_t cancel_cycle) {
    Sequencer sequencer(program, command_, &outcome_.report, word_cycles(config_));
    origin_ = origin;
    for (cycle_ = origin; !end_; ++cycle_) {
      begin_cycle();
      clock_rows();
      if (left_ == 0) step(sequencer);
      ++counter(classify());
      ++counter(PPU_COUNTER_CYCLES);
      hazards_.tick();
      left_ = std::max(0, left_ - 1);
      if (left_ == 0 && executed_last_) end_ = executed_last_;
      if (cycle_ == leaves_pipe_) end_ = fault_;
      if (cycle_ == cancel_cycle) end_ = End{PPU_RUN_CANCELLED, PPU_NONE};
    }
    outcome_.last_cycle = cycle_ - 1;
    outcome_.report.status = end_->status;
    outcome_.report.fault_row = end_->row;
    for (stream_.stop(); stream_.busy(); ++cycle_) stream_.clock(cycle_);
    outcome_.reads = stream_.reads();
    if (streamed_) counter(PPU_COUNTER_ROW_BYTES_STREAMED) = 64 * outcome_.reads.size();
    return std::move(outcome_);
  }

 private:
  struct Pass {
    LoadedKernel kernel;
    std::uint32_t next, end;
    std::uint64_t visible;
    std::uint32_t maximum;  ///< In which its residuals count.
    std::optional<ClockedSearch> search;
  };
  struct Residual {
    std::uint32_t maximum;
    float value;
  };
  struct End {
    ppu_run_status status;
    std::uint32_t row;
  };

  /// An instruction executes, unless it waits.
  void step(Sequencer& sequencer) {
    try {
      if (sequencer.step(*this) == Sequencer::Step::kHalted)
        executed_last_ = End{PPU_RUN_OK, PPU_NONE};
    } catch (const RunStop& stop) {
      executed_last_ = End{stop.status, stop.row};
    }
  }

  // What the sequencer does; each is asked once a cycle until it can execute.
  void spend(int cycles) override { left_ += cycles; }
  bool drain() override {
    drains_ = !idle_;
    return idle_;
  }
  bool queue_pass(const LoadedKernel& kernel, std::uint32_t first, std::uint32_t count) override {
    const bool filtered = kernel.control.filter() == spec::Filter::kOn;
    if (filtered ? !drain() : pending_ == 2 || pending_filtered_) return false;
    if (count == 0) return true;
    if (over_budget_) {
      ++counter(PPU_COUNTER_PASSES_CUT);
      return true;
    }
    passes_.push_back({kernel, first, first + count, cycle_ + 3, maximum_, {}});
    if (streamed_) {
      stream_.queue_pass(cycle_, first, count);
    } else if (filtered) {
      passes_.back().search.emplace(config_, cycle_ + 3 + config_.choice_stages, count,
                                    [this](std::uint32_t slot) { return live(rows_[slot]); });
    }
    return true;
  }
  void signal(std::uint32_t value) override { outcome_.signals.emplace_back(cycle_ + 1, value); }
  std::uint32_t take_max_residual() override {
    std::uint32_t bits;
    std::memcpy(&bits, &maxima_[maximum_], sizeof bits);
    maxima_[maximum_] = 0;
    return bits;
  }
  std::optional<bool> residual_exceeds(std::uint32_t bits) override {
    std::uint32_t reached;
    std::memcpy(&reached, &maxima_[maximum_], sizeof reached);
    const bool others = pending_others_ || cycle_ < settled_[1 - maximum_];
    drains_ = reached > bits ? others : !idle_;
    if (drains_) return std::nullopt;
    if (reached <= bits) return false;
    settled_[maximum_] = out_of_pipe() + config_.fp_div_stages;
    maximum_ = 1 - maximum_;
    maxima_[maximum_] = 0;
    return true;
  }
  void set_mark_threshold(std::uint32_t bits) override {
    std::memcpy(&mark_threshold_, &bits, sizeof bits);
  }
  void tag_all() override { next_tags_.assign(next_tags_.size(), true); }
  void tag_next() override {
    tags_ = next_tags_;
    next_tags_.assign(next_tags_.size(), false);
  }
  void set_lead_factor(std::uint32_t bits) override { leads_.set_factor(bits); }
  void rebase() override {
    leads_.settle(outcome_.set.velocities);
    counter(PPU_COUNTER_VELOCITY_READS) += command_.body_count;
    walk_bodies(1, 0);
  }
  bool extrapolate() override {
    if (!leads_.settled()) return false;
    leads_.extrapolate(outcome_.set.velocities);
    counter(PPU_COUNTER_VELOCITY_READS) += command_.body_count;
    counter(PPU_COUNTER_VELOCITY_WRITES) += command_.body_count;
    counter(PPU_COUNTER_FLOPS) += 18 * command_.body_count;
    walk_bodies(static_cast<int>(12 / config_.lanes),
                static_cast<int>(config_.fp_mul_stages + 2 * config_.fp_add_stages) + 1);
    return true;
  }
  /// Two bodies in `beats` cycles; the first ones are read in the cycle after the instruction, and
  /// written `beats` and `arithmetic` cycles later. The next word is fetched meanwhile.
  void walk_bodies(int beats, int arithmetic) {
    const int pairs = static_cast<int>(command_.body_count + 1) / 2;
    if (pairs > 0) left_ += pairs * beats + 1 + arithmetic - (word_cycles(config_) - 1);
  }
  bool set_budget(std::uint32_t cycles) override {
    if (over_budget_) return true;
    over_budget_from_ = cycles == 0 ? kNever : std::max(origin_ + cycles, cycle_ + 1);
    return true;
  }
  std::optional<std::uint32_t> cut_passes() override { return cut_before_; }

  /// What the parts of a cycle see is what was there when it began.
  void begin_cycle() {
    over_budget_ = cycle_ >= over_budget_from_;
    pending_ = passes_.size();
    pending_filtered_ = std::any_of(passes_.begin(), passes_.end(), [](const Pass& pass) {
      return pass.kernel.control.filter() == spec::Filter::kOn;
    });
    pending_others_ = std::any_of(passes_.begin(), passes_.end(),
                                  [this](const Pass& pass) { return pass.maximum != maximum_; });
    for (const Residual& residual : residuals_[cycle_])
      maxima_[residual.maximum] = std::max(maxima_[residual.maximum], residual.value);
    residuals_.erase(cycle_);
    idle_ = passes_.empty() && !hazards_.busy() && !stream_.busy();
    cut_before_ = static_cast<std::uint32_t>(counter(PPU_COUNTER_PASSES_CUT));
    hazards_.begin_cycle();
    went_ = 0;
    issued_ = passed_over_ = drains_ = false;
  }

  void clock_rows() {
    if (over_budget_) {
      counter(PPU_COUNTER_PASSES_CUT) += passes_.size();
      passes_.clear();
      stream_.stop();
    }
    stream_.clock(cycle_);
    const bool looked_at = std::exchange(looked_at_, false);
    if (passes_.empty()) return;
    Pass& pass = passes_.front();
    waits_for_ = pass.search ? PPU_COUNTER_FILTER_CYCLES : PPU_COUNTER_FETCH_STALL_CYCLES;
    if (pass.search) counter(PPU_COUNTER_ROWS_FILTERED) += pass.search->clock(cycle_);
    // With a stage in front of the choice a row is looked at in a cycle, and may go in the next.
    const bool at_once = config_.choice_stages == 0;
    while (has_rows(pass) && (at_once || looked_at) && try_row(pass)) {
      if (!at_once) break;
    }
    looked_at_ = !at_once && went_ == 0 && has_rows(pass) && is_there(pass);
    if (!has_rows(pass) && (!pass.search || pass.search->done())) passes_.pop_front();
  }

  /// True if rows are left; those of a search are the ones it has taken.
  static bool has_rows(const Pass& pass) {
    return pass.search ? !pass.search->taken.empty() : pass.next < pass.end;
  }

  /// The next row of the pass is at the head of its pipe.
  [[nodiscard]] bool is_there(const Pass& pass) const {
    return pass.search ? pass.search->taken.front().from <= cycle_
           : streamed_ ? stream_.there(cycle_)
                       : cycle_ >= pass.visible;
  }

  /// The next row of the pass goes in this cycle; else false, and what it waits for.
  bool try_row(Pass& pass) {
    const bool filtered = pass.kernel.control.filter() == spec::Filter::kOn;
    if (!is_there(pass)) return false;
    const std::uint32_t slot = pass.search ? pass.search->taken.front().next : pass.next;
    const bool consecutive = went_ == 0 || (slot == last_slot_ + 1 && went_ < config_.pipes);
    if (!consecutive) return false;
    const ppu_row& row = rows_[slot];
    if (is_bad(row, slot)) return wait_for_bad_row(slot);
    if (filtered && !live(row)) {
      passed_over_ = true;
      ++counter(PPU_COUNTER_ROWS_FILTERED);
    } else if (!try_issue(pass.kernel, slot, pass.maximum)) {
      return false;
    }
    ++went_;
    last_slot_ = slot;
    if (streamed_) stream_.gone(cycle_, slot);
    if (!pass.search)
      ++pass.next;
    else if (++pass.search->taken.front().next == pass.search->taken.front().end)
      pass.search->taken.pop_front();
    return true;
  }

  [[nodiscard]] bool is_bad(const ppu_row& row, std::uint32_t slot) const {
    const auto bad_body = [this](std::uint32_t body) {
      return body != PPU_NONE && body >= command_.body_count;
    };
    const bool same = row.body_a == row.body_b && row.body_a != PPU_NONE;
    return bad_body(row.body_a) || bad_body(row.body_b) || same ||
           (row.parent != PPU_NONE && (row.parent >= rows_.size() || row.parent == slot));
  }
  bool wait_for_bad_row(std::uint32_t slot) {
    if (went_ == 0 && !hazards_.busy()) end_ = End{PPU_RUN_BAD_ROW, slot};
    waits_for_ =
        hazards_.lanes_busy(slot) ? PPU_COUNTER_LANE_CYCLES : PPU_COUNTER_BODY_STALL_CYCLES;
    return false;
  }

  bool try_issue(const LoadedKernel& kernel, std::uint32_t slot, std::uint32_t maximum) {
    const ppu_row& row = rows_[slot];
    const std::optional<ppu_counter> held = hazards_.hold(kernel, row, slot, went_ == 0);
    if (held) {
      waits_for_ = *held;
      if (*held == PPU_COUNTER_BANK_STALL_CYCLES) ++counter(PPU_COUNTER_BANK_CONFLICTS);
      return false;
    }
    hazards_.issue(kernel, row, slot);
    issued_ = true;
    outcome_.issues.emplace_back(cycle_, slot);
    if (!fault_) compute(kernel, slot, maximum);
    settled_[maximum] = out_of_pipe() + config_.fp_div_stages;
    return true;
  }

  [[nodiscard]] bool live(const ppu_row& row) const {
    return (row.body_a != PPU_NONE && tags_[row.body_a]) ||
           (row.body_b != PPU_NONE && tags_[row.body_b]);
  }

  /// The first cycle in which a row that issues now has left the pipe.
  [[nodiscard]] std::uint64_t out_of_pipe() const {
    return cycle_ + static_cast<std::uint64_t>(body_latency(config_)) + 1;
  }

  /// Nothing reads what the row writes before it is there, so it may be written at once; but the
  /// program may see its residual.
  void compute(const LoadedKernel& kernel, std::uint32_t slot, std::uint32_t maximum) {
    const ppu_row& row = rows_[slot];
    const WorkingSet::View set = outcome_.set.view();
    model::RowOperands in = set.operands(row, slot);
    in.mark_threshold = mark_threshold_;
    leads_.read(kernel.control, slot, in);
    const model::RowResult out = model::update_row(kernel.control, in);
    if (out.fault) {
      fault_ = End{PPU_RUN_ROW_FAULT, slot};
      leaves_pipe_ = cycle_ + static_cast<std::uint64_t>(body_latency(config_));
      return;
    }
    set.commit(kernel.control, row, slot, out);
    if (kernel.stores_impulse() && !out.skipped)
      leads_.write(kernel.control, slot, in.stored, out.impulse);
    residuals_[out_of_pipe() + (kernel.divides() ? config_.fp_div_stages : 0)].push_back(
        {maximum, out.residual});
    if (out.mark_a && row.body_a != PPU_NONE) next_tags_[row.body_a] = true;
    if (out.mark_b && row.body_b != PPU_NONE) next_tags_[row.body_b] = true;
    ++counter(PPU_COUNTER_ROW_UPDATES);
    counter(PPU_COUNTER_ROWS_SKIPPED) += out.skipped ? 1 : 0;
    counter(PPU_COUNTER_VELOCITY_READS) += static_cast<std::uint64_t>(dynamic_bodies(row));
    if (kernel.stores_velocity() && !out.skipped)
      counter(PPU_COUNTER_VELOCITY_WRITES) += static_cast<std::uint64_t>(dynamic_bodies(row));
    counter(PPU_COUNTER_FLOPS) += static_cast<std::uint64_t>(
        kernel.flops + (row.compliance != 0.0F ? kernel.flops_with_cfm : 0) +
        (row.parent != PPU_NONE ? kernel.flops_with_parent : 0));
    const int values = kernel.extrapolates() ? 2 : 1;
    const int impulses = values + (kernel.reads_parent() && row.parent != PPU_NONE ? 1 : 0) +
                         (kernel.stores_impulse() && !out.skipped ? values : 0);
    counter(PPU_COUNTER_ROW_BYTES_ON_CHIP) += PPU_ROW_BYTES + static_cast<unsigned>(4 * impulses);
  }

  [[nodiscard]] ppu_counter classify() const {
    if (issued_) return PPU_COUNTER_ISSUE_CYCLES;
    if (passed_over_) return PPU_COUNTER_FILTER_CYCLES;
    if (pending_ > 0 && !over_budget_) return waits_for_;
    return drains_ ? PPU_COUNTER_DRAIN_CYCLES : PPU_COUNTER_CONTROL_CYCLES;
  }

  std::uint64_t& counter(ppu_counter which) { return outcome_.report.counters[which]; }

  const Config& config_;
  const std::vector<ppu_row>& rows_;
  const RunCommand& command_;
  bool streamed_;
  Outcome outcome_;
  std::uint64_t origin_ = 0, cycle_ = 0;
  std::deque<Pass> passes_;
  ClockedHazards hazards_;
  std::vector<bool> tags_, next_tags_;
  ClockedStream stream_;
  ClockedLeads leads_;
  float mark_threshold_ = 0;
  std::map<std::uint64_t, std::vector<Residual>> residuals_;  ///< By the cycle that sees them.
  std::array<float, 2> maxima_{};
  std::array<std::uint64_t, 2> settled_{};  ///< All rows of the maximum are through from here on.
  std::uint32_t maximum_ = 0;               ///< In which passes count from now on.
  int left_ = 0;                            ///< Cycles left of an instruction under way.
  std::uint64_t over_budget_from_ = kNever;
  std::optional<End> end_;              ///< The run ends in this cycle.
  std::optional<End> executed_last_;    ///< It ends with the instruction under way.
  std::optional<End> fault_;            ///< Its end by a row that has faulted.
  std::uint64_t leaves_pipe_ = kNever;  ///< In which that row leaves the pipe, and the run ends.

  // Of this cycle.
  bool over_budget_ = false, idle_ = false, pending_filtered_ = false, pending_others_ = false;
  std::size_t pending_ = 0;
  std::uint32_t cut_before_ = 0;
  std::uint32_t went_ = 0, last_slot_ = 0;
  bool issued_ = false, passed_over_ = false, drains_ = false;
  bool looked_at_ = false;  ///< The next row was at the head of its pipe in the cycle before.
  ppu_counter waits_for_ = PPU_COUNTER_FETCH_STALL_CYCLES;
};

}  // namespace ppu::hw::test
