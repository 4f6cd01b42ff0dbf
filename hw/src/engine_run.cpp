// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "engine_run.hpp"

#include <algorithm>
#include <cstring>

namespace ppu::hw {
namespace {

/// Rows of one call of advance().
constexpr std::uint32_t kBudgetRows = 100'000;
/// The same with an observer, which may be a slow one.
constexpr std::uint32_t kBudgetObservedRows = 200;

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
