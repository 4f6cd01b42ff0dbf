// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "engine_run.hpp"

#include <algorithm>
#include <cstring>

#include "known_control.hpp"

namespace ppu::hw {
namespace {

/// Rows of one call of advance().
constexpr std::uint32_t kBudgetRows = 100'000;
/// The same with an observer, which may be a slow one.
constexpr std::uint32_t kBudgetObservedRows = 200;
/// Cycles from the execution of `rows` until resident rows are before the issue stage.
constexpr std::uint64_t kFetchCycles = 3;
/// Passes that are not fully issued.
constexpr std::size_t kMostPasses = 2;

std::uint32_t beats_of(std::uint64_t bytes) {
  return static_cast<std::uint32_t>((bytes + spec::kBeatBytes - 1) / spec::kBeatBytes);
}

}  // namespace

EngineRun::EngineRun(const EngineSurroundings& engine, const RunCommand& command, Program program,
                     std::vector<RowProfile>& profile)
    : engine_(engine),
      command_(command),
      streamed_(is_streamed(engine.config, command)),
      watched_(engine.observer != nullptr || engine.trace != nullptr),
      records_(engine.memory, command),
      tags_(command.body_count),
      census_(records_, command.row_count),
      issue_(engine.config, command.row_count, command.body_count, report_.counters, profile),
      search_(engine.config),
      stream_(engine.config, records_, engine.port),
      sequencer_(program, command, &report_) {
  report_.command = command.command;
  report_.engine = engine.index;
}

void EngineRun::enter(EnginePhase phase, std::uint64_t cycle) {
  phase_ = phase;
  phase_start_ = cycle;
  if (engine_.trace != nullptr)
    engine_.trace->on_event({cycle, TraceKind::kEnginePhase,
                             static_cast<std::uint8_t>(engine_.index),
                             static_cast<std::uint64_t>(phase), 0});
}

void EngineRun::post(std::uint64_t cycle, std::uint32_t address, std::uint64_t bytes, bool write) {
  if (bytes == 0) return;
  const std::uint32_t beats = beats_of(bytes);
  engine_.port.post({cycle, address, beats, write});
  engine_.port.awaited += beats;
  report_.counters[write ? PPU_COUNTER_MEMORY_WRITE_BEATS : PPU_COUNTER_MEMORY_READ_BEATS] += beats;
}

std::uint64_t EngineRun::take_responses(std::uint64_t none) {
  EnginePort& port = engine_.port;
  port.awaited = 0;
  return port.responses.empty() ? none : port.take(port.responses.size());
}

void EngineRun::start(std::uint64_t cycle) {
  enter(EnginePhase::kLoad, cycle + 1);
  const std::uint64_t rows = command_.row_count;
  if (!streamed_)
    post(cycle + 1, command_.rows_address,
         RowRecords::bytes(command_.reduced, 0, command_.row_count), false);
  post(cycle + 1, command_.impulses_address, rows * spec::kImpulseBytes, false);
  post(cycle + 1, command_.velocities_address,
       std::uint64_t{command_.body_count} * spec::kVelocityBytes, false);
}

void EngineRun::advance(bool cancelled) {
  if (engine_.port.blocked()) return;
  try {
    if (phase_ == EnginePhase::kLoad) finish_load();
    if (phase_ == EnginePhase::kRun) return execute(cancelled);
  } catch (const RunStop& stop) {
    return abort(stop);
  }
  if (phase_ == EnginePhase::kStore) return finish_store();
  if (phase_ == EnginePhase::kAbort) finish_abort();
}

void EngineRun::finish_load() {
  origin_ = sequencer_cycle_ = take_responses(phase_start_) + 1;
  issue_.start(origin_);
  report_.counters[PPU_COUNTER_LOAD_CYCLES] = origin_ - phase_start_;
  report_.counters[PPU_COUNTER_START_CYCLE] = origin_;
  set_ = WorkingSet::load(engine_.memory, command_);
  if (!streamed_) {
    rows_ = records_.first(command_.row_count);
    for (std::uint32_t slot = 0; slot < command_.row_count; ++slot)
      check_row(rows_[slot], slot, command_);
  }
  enter(EnginePhase::kRun, origin_);
  if (engine_.observer != nullptr) engine_.observer->begin_run();
}

void EngineRun::execute(bool cancelled) {
  std::uint32_t budget = engine_.observer != nullptr ? kBudgetObservedRows : kBudgetRows;
  // A program without rows must not run for ever either: each instruction counts as a row.
  while (budget > 0) {
    --budget;
    if (cancelled) throw RunStop{PPU_RUN_CANCELLED, PPU_NONE, PPU_FAULT_NONE, {}};
    switch (sequencer_.step(*this)) {
      case Sequencer::Step::kExecuted:
        break;
      case Sequencer::Step::kWaiting:
        if (!passes_.empty() && run_pass(&budget)) break;
        engine_.port.quiet_until = issue_.cursor();
        return;
      case Sequencer::Step::kHalted:
        return finish_program();
    }
  }
  engine_.port.quiet_until =
      passes_.empty() ? sequencer_cycle_ : std::min(sequencer_cycle_, issue_.cursor());
}

bool EngineRun::queue_pass(const LoadedKernel& kernel, std::uint32_t first, std::uint32_t count) {
  const bool filtered = kernel.filters() || (!passes_.empty() && passes_.back().kernel.filters());
  if (passes_.size() == kMostPasses || (filtered && !passes_.empty())) return false;
  if (kernel.filters() && !drain()) return false;
  // With one pass in the queue, the older end is that of the pass before it.
  sequencer_cycle_ = std::max(sequencer_cycle_, pass_ends_[passes_.size()]);
  if (count == 0) return true;
  if (sequencer_cycle_ >= late_) {
    ++report_.counters[PPU_COUNTER_PASSES_CUT];
    return true;
  }
  passes_.push_back({kernel, first, first, first + count, sequencer_cycle_});
  if (streamed_) stream_.queue_pass(sequencer_cycle_, first, count);
  if (searches(passes_.back())) search_.begin(sequencer_cycle_ + kFetchCycles, count);
  return true;
}

bool EngineRun::run_pass(std::uint32_t* budget) {
  Pass& pass = passes_.front();
  if (pass.next == pass.first) {
    issue_.charge_until(pass.cycle + 1, PPU_COUNTER_CONTROL_CYCLES);
    issue_.begin_pass(searches(pass) ? PPU_COUNTER_FILTER_CYCLES : PPU_COUNTER_FETCH_STALL_CYCLES);
  }
  const Progress progress =
      cut_ ? Progress::kCut : with_known_control(pass.kernel.control, [&](auto control) {
        return run_rows(control, &pass, budget);
      });
  if (progress == Progress::kWaiting) return false;
  finish_pass(&pass, progress == Progress::kCut);
  passes_.pop_front();
  return true;
}

template <class Control>
EngineRun::Progress EngineRun::run_rows(Control control, Pass* pass, std::uint32_t* budget) {
  if (streamed_) return run_streamed_rows(control, pass, budget);
  if (control.filter() == spec::Filter::kOn) return run_found_rows(control, pass, budget);
  for (; pass->next < pass->end; ++pass->next) {
    if (*budget == 0) return Progress::kWaiting;
    --*budget;
    if (!run_row(control, pass, rows_[pass->next], pass->cycle + kFetchCycles))
      return Progress::kCut;
  }
  return Progress::kDone;
}

template <class Control>
EngineRun::Progress EngineRun::run_found_rows(Control control, Pass* pass, std::uint32_t* budget) {
  const auto is_live = [this](std::uint32_t slot) { return tags_.live(rows_[slot]); };
  while (true) {
    for (; pass->next < pass->group_end; ++pass->next) {
      const auto gone = run_row(control, pass, rows_[pass->next], search_.arrival());
      if (!gone) {
        // The search goes on without the issue stage until the run is late.
        do search_.gone(late_);
        while (search_.next(is_live, late_) == RowSearch::Found::kGroup);
        report_.counters[PPU_COUNTER_ROWS_FILTERED] += search_.take_passed_over();
        return Progress::kCut;
      }
      if (pass->next + 1 == pass->group_end) search_.gone(*gone);
    }
    if (*budget == 0) return Progress::kWaiting;
    const std::uint32_t looked = search_.looked();
    const RowSearch::Found found = search_.next(is_live, late_);
    // Looking at a row counts as much as running one.
    *budget -= std::min(*budget, search_.looked() - looked);
    report_.counters[PPU_COUNTER_ROWS_FILTERED] += search_.take_passed_over();
    if (found == RowSearch::Found::kNone) return Progress::kDone;
    pass->next = search_.first();
    if (found == RowSearch::Found::kLate) {
      issue_.never_arrives(pass->next);
      return Progress::kCut;
    }
    pass->group_end = search_.end();
  }
}

template <class Control>
EngineRun::Progress EngineRun::run_streamed_rows(Control control, Pass* pass,
                                                 std::uint32_t* budget) {
  for (; pass->next < pass->end; ++pass->next) {
    const std::uint32_t slot = pass->next;
    if (*budget == 0) return Progress::kWaiting;
    --*budget;
    const RowStream::Arrival arrival = stream_.arrival(slot, slot == pass->first);
    if (arrival == RowStream::Arrival::kAwaited) return Progress::kWaiting;
    if (arrival == RowStream::Arrival::kMissed) {
      issue_.never_arrives(slot);
      return Progress::kCut;
    }
    const ppu_row row = records_[slot];
    const std::uint64_t cycle = stream_.take(slot, slot == pass->first);
    if (find_bad_field(row, slot, command_) != PPU_FAULT_NONE) {
      if (!issue_.wait_to_end(slot, cycle)) return Progress::kCut;
      check_row(row, slot, command_);
    }
    const auto gone = run_row(control, pass, row, cycle);
    if (!gone) return Progress::kCut;
    stream_.gone(slot, *gone);
  }
  return Progress::kDone;
}

template <class Control>
std::optional<std::uint64_t> EngineRun::run_row(Control control, Pass* pass, const ppu_row& row,
                                                std::uint64_t arrival) {
  const std::uint32_t slot = pass->next;
  const bool filtered = control.filter() == spec::Filter::kOn;
  if (filtered && !tags_.live(row)) {
    const std::optional<std::uint64_t> passed = issue_.pass_over(slot, arrival);
    if (passed) ++report_.counters[PPU_COUNTER_ROWS_FILTERED];
    return passed;
  }
  const std::optional<IssueStage::Issued> issued = issue_.issue(pass->kernel, row, slot, arrival);
  if (!issued) return std::nullopt;
  if (filtered) pass->sums.add(row);
  if (watched_) observe(pass->kernel, row, slot, *issued);
  const WorkingSet::View set = set_.view();
  if (model::is_held(control, row.parent != PPU_NONE, set.parent_impulse(row))) {
    pass->sums.skip(row);
    return issued->cycle;
  }
  model::RowOperands in = set.operands(row, slot);
  if (control.mark() == spec::Mark::kOn) in.mark_threshold = mark_threshold_;
  const model::RowResult out = model::update_free_row(control, in);
  if (out.fault) stop_at_fault(pass->kernel, row, slot);
  if (control.resid() != spec::Resid::kNone) max_residual_ = std::max(max_residual_, out.residual);
  if (control.mark() == spec::Mark::kOn) tags_.mark(row, out);
  set.commit(control, row, slot, out);
  return issued->cycle;
}

model::RowOperands EngineRun::operands(const ppu_row& row, std::uint32_t slot) {
  model::RowOperands in = set_.view().operands(row, slot);
  in.mark_threshold = mark_threshold_;
  return in;
}

void EngineRun::observe(const LoadedKernel& kernel, const ppu_row& row, std::uint32_t slot,
                        const IssueStage::Issued& issued) {
  const std::uint32_t pipe = slot % engine_.config.pipes;
  if (engine_.trace != nullptr) {
    const auto unit = static_cast<std::uint8_t>(engine_.index);
    engine_.trace->on_event({issued.cycle, TraceKind::kRowIssue, unit, slot, pipe});
    engine_.trace->on_event({issued.write, TraceKind::kRowRetire, unit, slot, pipe});
  }
  if (engine_.observer == nullptr) return;
  const model::RowOperands in = operands(row, slot);
  const model::RowResult out = model::update_row(kernel.control, in);
  engine_.observer->on_row(
      {slot, pipe, kernel.control, row, issued.cycle - origin_, issued.write - origin_, in, out});
}

void EngineRun::stop_at_fault(const LoadedKernel& kernel, const ppu_row& row, std::uint32_t slot) {
  if (engine_.observer != nullptr) engine_.observer->on_drained(issue_.drained() - origin_);
  throw row_fault(slot, model::update_row(kernel.control, operands(row, slot)));
}

void EngineRun::finish_pass(Pass* pass, bool cut) {
  if (!pass->kernel.filters()) census_.add(pass->first, pass->next - pass->first, &pass->sums);
  pass->sums.count(pass->kernel, &report_.counters);
  if (cut) {
    cut_ = true;
    ++report_.counters[PPU_COUNTER_PASSES_CUT];
  }
  const bool searched = searches(*pass) && !cut;
  issue_.end_pass(pass->end - 1, searched ? search_.last_cycle() + 1 : 0);
  const std::uint64_t end = cut ? late_ + 1 : issue_.cursor();
  // What comes behind a filtered pass waits for its end.
  pass_ends_ = {pass->kernel.filters() ? end : pass_ends_[1], end};
}

bool EngineRun::drain() {
  if (!passes_.empty() || (streamed_ && !stream_.drain())) return false;
  issue_.charge_until(sequencer_cycle_, PPU_COUNTER_CONTROL_CYCLES);
  sequencer_cycle_ =
      std::max({sequencer_cycle_, issue_.drained(), pass_ends_[1], stream_.drained()});
  issue_.charge_until(sequencer_cycle_, PPU_COUNTER_DRAIN_CYCLES);
  if (engine_.observer != nullptr) engine_.observer->on_drained(sequencer_cycle_ - origin_);
  return true;
}

void EngineRun::set_mark_threshold(std::uint32_t bits) {
  std::memcpy(&mark_threshold_, &bits, sizeof bits);
}

bool EngineRun::set_budget(std::uint32_t cycles) {
  if (sequencer_cycle_ >= late_) return true;
  late_ = cycles == 0 ? kNever : std::max(origin_ + cycles, sequencer_cycle_ + 1);
  issue_.set_limit(late_);
  if (streamed_) engine_.port.deadline = late_;
  return true;
}

std::optional<std::uint32_t> EngineRun::cut_passes() {
  // Passes that the budget cuts are seen in the cycle after.
  if (sequencer_cycle_ <= late_) return 0;
  if (!passes_.empty()) return std::nullopt;
  return static_cast<std::uint32_t>(report_.counters[PPU_COUNTER_PASSES_CUT]);
}

std::uint32_t EngineRun::take_max_residual() {
  if (engine_.observer != nullptr) engine_.observer->on_residual(max_residual_);
  std::uint32_t bits;
  std::memcpy(&bits, &max_residual_, sizeof bits);
  max_residual_ = 0;
  return bits;
}

void EngineRun::signal(std::uint32_t value) {
  engine_.port.signalled = value;
  engine_.port.signal_cycle = sequencer_cycle_ + 1;
}

void EngineRun::finish_program() {
  if (streamed_) {
    const std::uint64_t beats = stream_.accepted_beats();
    report_.counters[PPU_COUNTER_ROW_BYTES_STREAMED] = beats * spec::kBeatBytes;
    report_.counters[PPU_COUNTER_MEMORY_READ_BEATS] += beats;
    engine_.port.deadline = kNever;
  }
  issue_.charge_until(sequencer_cycle_, PPU_COUNTER_CONTROL_CYCLES);
  report_.counters[PPU_COUNTER_CYCLES] = sequencer_cycle_ - origin_;
  enter(EnginePhase::kStore, sequencer_cycle_);
  set_.store(engine_.memory, command_);
  const std::uint64_t from = phase_start_ + 1;
  post(from, command_.impulses_address, std::uint64_t{command_.row_count} * spec::kImpulseBytes,
       true);
  post(from, command_.velocities_address, std::uint64_t{command_.body_count} * spec::kVelocityBytes,
       true);
  if (engine_.port.awaited == 0) finish_store();
}

void EngineRun::finish_store() {
  const std::uint64_t end = take_responses(phase_start_) + 1;
  report_.counters[PPU_COUNTER_STORE_CYCLES] = end - phase_start_;
  done(end);
}

void EngineRun::abort(const RunStop& stop) {
  report_stop(stop, &report_);
  message_ = stop.message;
  enter(EnginePhase::kAbort, std::max(phase_start_, issue_.drained()));
  // Records that were requested and not used still come.
  engine_.port.awaited = engine_.port.owed;
  if (!engine_.port.blocked()) finish_abort();
}

void EngineRun::finish_abort() {
  done(std::max(take_responses(0), phase_start_) + 1);
}

void EngineRun::done(std::uint64_t cycle) {
  enter(EnginePhase::kDone, cycle);
  engine_.port.done_cycle = cycle;
}

}  // namespace ppu::hw
