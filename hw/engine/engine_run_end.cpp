// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// How a run ends. The engine knows it before its cycle has come; until then the run may be
// cancelled, and nothing of its end can be seen.
#include <algorithm>

#include "hw/engine/engine_run.hpp"

namespace ppu::hw {

void EngineRun::cancel(std::uint64_t cycle) {
  if (phase_ != EnginePhase::kLoad && phase_ != EnginePhase::kRun) return;
  stop_before(cycle + 1, {PPU_RUN_CANCELLED, PPU_NONE, PPU_FAULT_NONE, {}});
  if (awaits_rows_ && !engine_.port.blocked()) {
    // Streamed rows are not known before they come: some may have issued since.
    seen_ = cycle;
    horizon_ == kNever ? execute() : catch_up();
  }
  settle();
}

void EngineRun::stop_before(std::uint64_t end, const RunStop& stop) {
  stop_ = stop;
  ends_at_ = end;
  set_limits();
}

void EngineRun::tell(std::uint64_t cycle) {
  const auto rest =
      std::stable_partition(events_.begin(), events_.end(),
                            [cycle](const TraceEvent& event) { return event.cycle < cycle; });
  std::for_each(events_.begin(), rest,
                [this](const TraceEvent& event) { engine_.trace->on_event(event); });
  events_.erase(events_.begin(), rest);
}

void EngineRun::settle() {
  settled_ = true;
  engine_.port.awaited = 0;
  engine_.port.quiet_until = ends_at_;
}

void EngineRun::conclude() {
  std::deque<EnginePort::Signal>& signals = engine_.port.signals;
  while (!signals.empty() && signals.back().cycle > ends_at_) signals.pop_back();
  // Rows that have issued retire.
  const auto latency = static_cast<std::uint64_t>(body_latency(engine_.config));
  const auto never = [this, latency](const TraceEvent& event) {
    return event.cycle >= ends_at_ + (event.kind == TraceKind::kRowRetire ? latency : 0);
  };
  events_.erase(std::remove_if(events_.begin(), events_.end(), never), events_.end());
  engine_.port.until = kNever;
  if (stop_)
    abort();
  else
    finish_program();
}

void EngineRun::finish_program() {
  if (stream_) {
    report_.counters[PPU_COUNTER_ROW_BYTES_STREAMED] = stream_->beats() * spec::kBeatBytes;
    report_.counters[PPU_COUNTER_MEMORY_READ_BEATS] += stream_->beats() - engine_.port.captured;
  }
  charge_program(sequencer_cycle_);
  report_.counters[PPU_COUNTER_CYCLES] = sequencer_cycle_ - origin_;
  store_lost_ = flipped_.check_store(&path_.impulses(), path_.velocities().front());
  report_.counters[PPU_COUNTER_WORDS_CORRECTED] += flipped_.corrected;
  enter(EnginePhase::kStore, sequencer_cycle_);
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
  if (store_lost_) report_stop(*store_lost_, &report_);
  done(end);
}

void EngineRun::abort() {
  EnginePort& port = engine_.port;
  report_stop(*stop_, &report_);
  message_ = stop_->message;
  enter(EnginePhase::kAbort, ends_at_);
  // Records that were requested and not used still come.
  port.withdraw(ends_at_ - 1);
  port.awaited = port.owed;
  if (!port.blocked()) finish_abort();
}

void EngineRun::finish_abort() {
  // Rows that issued before are out of the pipe.
  const std::uint64_t latest =
      phase_start_ + static_cast<std::uint64_t>(body_latency(engine_.config)) + 1;
  const std::uint64_t drained = std::min(last_row_out(), latest);
  done(std::max({take_responses(0), drained, phase_start_}) + 1);
}

void EngineRun::done(std::uint64_t cycle) {
  enter(EnginePhase::kDone, cycle);
  tell(kNever);
  engine_.port.done_cycle = cycle;
}

}  // namespace ppu::hw
