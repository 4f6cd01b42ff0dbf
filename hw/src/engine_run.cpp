// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "engine_run.hpp"

#include <algorithm>
#include <cstring>

#include "known_control.hpp"
#include "ppu/hw/host_records.hpp"

namespace ppu::hw {
namespace {

/// Rows of one call of advance().
constexpr std::uint32_t kBudgetRows = 100'000;
/// The same with an observer, which may be a slow one.
constexpr std::uint32_t kBudgetObservedRows = 200;
/// Passes that are not fully issued.
constexpr std::size_t kMostPasses = 2;

}  // namespace

EngineRun::EngineRun(const EngineSurroundings& engine, const RunCommand& command, Program program,
                     std::vector<RowProfile>& profile)
    : engine_(engine),
      command_(command),
      streamed_(is_streamed(engine.config, command)),
      watched_(engine.observer != nullptr || engine.trace != nullptr),
      census_(device_rows(), command.row_count),
      issue_(engine.config, command.row_count, command.body_count, report_.counters, profile),
      stream_(engine.config, command_, engine.port),
      sequencer_(program, command, &report_) {
  report_.command = command.command;
  report_.engine = engine.index;
}

const ppu_row* EngineRun::device_rows() const {
  return reinterpret_cast<const ppu_row*>(engine_.memory.data + command_.rows_address);
}

void EngineRun::enter(EnginePhase phase, std::uint64_t cycle) {
  phase_ = phase;
  phase_start_ = cycle;
  note(TraceKind::kEnginePhase, cycle, static_cast<std::uint64_t>(phase), 0);
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
  if (!streamed_) post(cycle + 1, command_.rows_address, rows * PPU_ROW_BYTES, false);
  post(cycle + 1, command_.impulses_address, rows * spec::kImpulseBytes, false);
  post(cycle + 1, command_.velocities_address,
       std::uint64_t{command_.body_count} * spec::kVelocityBytes, false);
}

void EngineRun::advance() {
  tell(engine_.port.limit());
  if (settled_) return conclude();
  if (engine_.port.blocked()) {
    // Whatever it waits for comes after the end.
    if (engine_.port.over != kNever) conclude();
    return;
  }
  try {
    if (phase_ == EnginePhase::kLoad) finish_load();
    if (phase_ == EnginePhase::kRun) return stop_ ? run_out() : execute();
  } catch (const RunStop& stop) {
    return end_with(stop);
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
    rows_.assign(device_rows(), device_rows() + command_.row_count);
    for (std::uint32_t slot = 0; slot < command_.row_count; ++slot)
      check_row(rows_[slot], slot, command_);
  }
  enter(EnginePhase::kRun, origin_);
  if (engine_.observer != nullptr) engine_.observer->begin_run();
}

void EngineRun::execute() {
  std::uint32_t budget = engine_.observer != nullptr ? kBudgetObservedRows : kBudgetRows;
  // A program without rows must not run for ever either: each instruction counts as a row.
  while (budget > 0) {
    --budget;
    switch (sequencer_.step(*this)) {
      case Sequencer::Step::kExecuted:
        break;
      case Sequencer::Step::kWaiting:
        if (run_pass(&budget)) break;
        engine_.port.quiet_until = issue_.cursor();
        return;
      case Sequencer::Step::kHalted:
        engine_.port.over = sequencer_cycle_;
        return settle();
    }
  }
  engine_.port.quiet_until =
      passes_.empty() ? sequencer_cycle_ : std::min(sequencer_cycle_, issue_.cursor());
}

bool EngineRun::queue_pass(const LoadedKernel& kernel, std::uint32_t first, std::uint32_t count) {
  if (passes_.size() == kMostPasses) return false;
  // With one pass in the queue, the older end is that of the pass before it.
  sequencer_cycle_ = std::max(sequencer_cycle_, pass_ends_[passes_.size()]);
  if (count == 0) return true;
  passes_.push_back({kernel, first, first, first + count, sequencer_cycle_});
  if (streamed_) stream_.queue_pass(sequencer_cycle_, first, count);
  return true;
}

bool EngineRun::run_pass(std::uint32_t* budget) {
  Pass& pass = passes_.front();
  if (pass.next == pass.first) {
    issue_.charge_until(pass.cycle + 1, PPU_COUNTER_CONTROL_CYCLES);
    issue_.begin_pass();
  }
  const bool finished = with_known_control(
      pass.kernel.control, [&](auto control) { return run_rows(control, &pass, budget); });
  if (!finished) return false;
  finish_pass(pass);
  passes_.pop_front();
  return true;
}

template <class Control>
bool EngineRun::run_rows(Control control, Pass* pass, std::uint32_t* budget) {
  for (; pass->next < pass->end; ++pass->next) {
    if (*budget == 0 || issue_.cursor() > engine_.port.over) return false;
    --*budget;
    if (streamed_) {
      if (!stream_.arrived()) return false;
      const ppu_row& row = device_rows()[pass->next];
      const std::uint64_t arrival = stream_.take();
      check_streamed(row, pass->next, arrival);
      run_row(control, pass, row, arrival);
    } else {
      run_row(control, pass, rows_[pass->next], pass->cycle + kFetchCycles);
    }
  }
  return true;
}

template <class Control>
void EngineRun::run_row(Control control, Pass* pass, const ppu_row& row, std::uint64_t arrival) {
  const std::uint32_t slot = pass->next;
  const IssueStage::Issued issued = issue_.issue(pass->kernel, row, slot, arrival);
  if (streamed_) stream_.issued(slot, issued.cycle);
  if (watched_) observe(pass->kernel, row, slot, issued);
  if (stop_) return;
  const WorkingSet::View set = set_.view();
  if (model::is_held(control, row.parent != PPU_NONE, set.parent_impulse(row))) {
    ++pass->skipped;
    pass->skipped_bodies += static_cast<std::uint64_t>(dynamic_bodies(row));
    return;
  }
  const model::RowResult out = model::update_free_row(control, set.operands(row, slot));
  if (out.fault) stop_at_fault(pass->kernel, row, slot, issued);
  if (control.resid() != spec::Resid::kNone) max_residual_ = std::max(max_residual_, out.residual);
  set.commit(control, row, slot, out);
}

void EngineRun::observe(const LoadedKernel& kernel, const ppu_row& row, std::uint32_t slot,
                        const IssueStage::Issued& issued) {
  const std::uint32_t pipe = slot % engine_.config.pipes;
  note(TraceKind::kRowIssue, issued.cycle, slot, pipe);
  note(TraceKind::kRowRetire, issued.write, slot, pipe);
  if (engine_.observer == nullptr || stop_) return;
  const model::RowOperands in = set_.view().operands(row, slot);
  const model::RowResult out = model::update_row(kernel.control, in);
  engine_.observer->on_row(
      {slot, pipe, kernel.control, row, issued.cycle - origin_, issued.write - origin_, in, out});
}

void EngineRun::check_streamed(const ppu_row& row, std::uint32_t slot, std::uint64_t arrival) {
  try {
    check_row(row, slot, command_);
  } catch (const RunStop&) {
    if (!stop_) engine_.port.over = std::max(arrival, issue_.drained()) + 1;
    throw;
  }
}

void EngineRun::stop_at_fault(const LoadedKernel& kernel, const ppu_row& row, std::uint32_t slot,
                              const IssueStage::Issued& issued) {
  engine_.port.over = issued.write + 1;
  if (engine_.observer != nullptr) engine_.observer->on_drained(issue_.drained() - origin_);
  throw row_fault(slot, model::update_row(kernel.control, set_.view().operands(row, slot)));
}

void EngineRun::finish_pass(const Pass& pass) {
  const std::uint32_t count = pass.end - pass.first;
  census_.count_pass(pass.kernel, pass.first, count, pass.skipped, pass.skipped_bodies,
                     &report_.counters);
  if (streamed_) {
    const std::uint64_t bytes = std::uint64_t{count} * PPU_ROW_BYTES;
    report_.counters[PPU_COUNTER_ROW_BYTES_STREAMED] += bytes;
    report_.counters[PPU_COUNTER_MEMORY_READ_BEATS] += beats_of(bytes);
  }
  pass_ends_ = {pass_ends_[1], issue_.cursor()};
}

bool EngineRun::drain() {
  if (!passes_.empty() || stop_) return false;
  issue_.charge_until(sequencer_cycle_, PPU_COUNTER_CONTROL_CYCLES);
  sequencer_cycle_ = std::max(sequencer_cycle_, issue_.drained());
  issue_.charge_until(sequencer_cycle_, PPU_COUNTER_DRAIN_CYCLES);
  if (engine_.observer != nullptr) engine_.observer->on_drained(sequencer_cycle_ - origin_);
  return true;
}

std::uint32_t EngineRun::take_max_residual() {
  if (engine_.observer != nullptr) engine_.observer->on_residual(max_residual_);
  std::uint32_t bits;
  std::memcpy(&bits, &max_residual_, sizeof bits);
  max_residual_ = 0;
  return bits;
}

void EngineRun::signal(std::uint32_t value) {
  engine_.port.signals.push_back({sequencer_cycle_ + 1, value});
}

}  // namespace ppu::hw
