// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/engine/engine_run.hpp"

#include <algorithm>
#include <utility>

#include "hw/contract/host_records.hpp"

namespace ppu::hw {
namespace {

/// Rows of one call of advance(); fewer with an observer, which may be a slow one.
std::uint32_t most_rows(const RowObserver* observer) {
  return observer != nullptr ? 200 : 100'000;
}

TraceKind kind_of(const CycleClasses::Wait& wait) {
  switch (wait.reason) {
    case PPU_COUNTER_BODY_STALL_CYCLES:
      return wait.body_b ? TraceKind::kWaitBodyB : TraceKind::kWaitBodyA;
    case PPU_COUNTER_PARENT_STALL_CYCLES:
      return TraceKind::kWaitParent;
    case PPU_COUNTER_FETCH_STALL_CYCLES:
      return TraceKind::kWaitFetch;
    case PPU_COUNTER_LANE_CYCLES:
      return TraceKind::kWaitLane;
    case PPU_COUNTER_BANK_STALL_CYCLES:
      return TraceKind::kWaitBank;
    case PPU_COUNTER_FILTER_CYCLES:
      return TraceKind::kWaitFilter;
    case PPU_COUNTER_DRAIN_CYCLES:
      return TraceKind::kDrain;
    default:
      return TraceKind::kControl;
  }
}

}  // namespace

EngineRun::EngineRun(const EngineSurroundings& engine, const EngineParts& parts,
                     const RunCommand& command, Program program, const MemoryFlip& flip,
                     std::vector<RowProfile>& profile)
    : engine_(engine),
      command_(command),
      watched_(engine.observer != nullptr || engine.trace != nullptr),
      records_(engine.memory, command),
      path_(parts.path),
      issue_(parts.issue.emplace(engine.config, command.row_count, command.body_count,
                                 report_.counters, profile)),
      search_(parts.search.emplace(engine.config)),
      stream_(parts.stream),
      sequencer_(parts.sequencer.emplace(program, command, &report_, word_cycles(engine.config))),
      maxima_(engine.config) {
  path_.clear(command);
  flipped_.flip = flip;
  stream_.reset();
  const bool early = is_early(engine.config, command);
  if (is_streamed(engine.config, command))
    stream_.emplace(engine.config, records_, engine.port, early);
  early_ = early && !stream_;
  if (engine.config.dataflow != 0) dataflow_ = &parts.dataflow->emplace(engine.config);
  has_bad_row_ = flipped_.flip.two;
  if (dataflow_ != nullptr && flipped_.is(PPU_FAULT_LINK_MEMORY))
    dataflow_->watch_links(flipped_.flip.word);
  if (dataflow_ != nullptr && stream_) {
    dataflow_->open(command.row_count, command.body_count);
    dataflow_->on_release([this](std::uint32_t pipe, const OpenLinker::Release& release) {
      stream_->release(pipe, release.count, release.cycle);
    });
    rows_unseen_ = true;
    if (!command.chained) look_for_bad_rows();
  }
  report_.command = command.command;
  report_.engine = engine.index;
  if (engine.trace != nullptr)
    issue_.classes().on_wait([this](const CycleClasses::Wait& wait) {
      note(kind_of(wait), wait.cycle, wait.slot == PPU_NONE ? kNever : wait.slot, wait.cycles);
    });
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
  EnginePort& port = engine_.port;
  const std::uint64_t row_bytes = RowRecords::bytes(command_.reduced, 0, command_.row_count);
  if (command_.chained) {
    port.take_written(command_.rows_address, beats_of(row_bytes));
    port.awaited_written = is_early(engine_.config, command_) ? 0 : port.unwritten;
  } else if (!stream_) {
    post(cycle + 1, command_.rows_address, row_bytes, false);
  }
  post(cycle + 1, command_.impulses_address, rows * spec::kImpulseBytes, false);
  post(cycle + 1, command_.velocities_address,
       std::uint64_t{command_.body_count} * spec::kVelocityBytes, false);
}

void EngineRun::advance() {
  EnginePort& port = engine_.port;
  const std::uint64_t now = port.limit();
  if (now == kNever) return;
  seen_ = now;
  tell(now);
  if (phase_ == EnginePhase::kStore) return finish_store();
  if (phase_ == EnginePhase::kAbort) return finish_abort();
  if (now == ends_at_) return conclude();
  if (stream_ && now == stream_->limit()) {
    stream_->expire();
    set_limits();
  }
  if (now == horizon_) {
    horizon_ = kNever;
    port.awaited = 0;
    set_limits();
  }
  if (settled_ || port.blocked()) return;
  try {
    if (phase_ == EnginePhase::kLoad) finish_load();
    horizon_ == kNever ? execute() : catch_up();
  } catch (const RunStop& stop) {
    stop_before(std::max(sequencer_cycle_, issue_.cursor()), stop);
    settle();
  }
}

std::uint64_t EngineRun::link_rows() {
  if (stream_) return 0;
  const std::vector<ppu_row> rows = records_.first(command_.row_count);
  for (std::uint32_t slot = 0; slot < command_.row_count; ++slot) path_.add(slot, rows[slot]);
  if (dataflow_ == nullptr) return 0;
  const std::deque<std::uint64_t>& row_beats =
      command_.chained ? engine_.port.written : engine_.port.responses;
  std::vector<std::uint64_t> arrived(command_.row_count);
  for (std::uint32_t slot = 0; slot < command_.row_count; ++slot) {
    if (find_bad_field(rows[slot], slot, command_).detail != PPU_FAULT_NONE) return 0;
    arrived[slot] = row_beats[RowRecords::beats(command_.reduced, 0, slot + 1) - 1];
  }
  std::vector<const ppu_row*> places;
  for (std::uint32_t slot = 0; slot < command_.row_count; ++slot) {
    places.push_back(&path_.row(slot));
    if (!lost_bodies(slot)) continue;
    // It has none for the linker.
    lost_row_ = rows[slot];
    lost_row_.body_a = lost_row_.body_b = lost_row_.parent = PPU_NONE;
    places.back() = &lost_row_;
  }
  dataflow_->link(std::move(places), command_.body_count);
  return dataflow_->linked(arrived, command_.body_count);
}

void EngineRun::begin_early() {
  origin_ = sequencer_cycle_ = take_responses(phase_start_) + 1;
  const std::uint32_t pipes = engine_.config.pipes;
  for (std::uint32_t pipe = 0; pipe < pipes; ++pipe)
    path_.memory(pipe).reserve(command_.row_count / pipes + 1);
  dataflow_->link_early(command_.row_count, command_.body_count);
}

void EngineRun::finish_load() {
  if (early_)
    begin_early();
  else
    load_rows();
  issue_.start(origin_);
  report_.counters[PPU_COUNTER_LOAD_CYCLES] = origin_ - phase_start_;
  report_.counters[PPU_COUNTER_START_CYCLE] = origin_;
  path_.load(engine_.memory, command_);
  if (!early_) check_rows();
  enter(EnginePhase::kRun, origin_);
  if (engine_.observer != nullptr) engine_.observer->begin_run(origin_);
}

void EngineRun::look_for_bad_rows() {
  for (std::uint32_t slot = 0; slot < command_.row_count && !has_bad_row_; ++slot)
    has_bad_row_ = find_bad_field(records_[slot], slot, command_).detail != PPU_FAULT_NONE;
  rows_unseen_ = false;
}

void EngineRun::load_rows() {
  const std::deque<std::uint64_t>& written = engine_.port.written;
  const bool gated = stream_ && stream_->is_gated();
  // The last beat of a chained load is there in the cycle after.
  const std::uint64_t taken = written.empty() || gated ? 0 : written.back() + 1;
  const std::uint64_t linked = link_rows();
  if (!gated) engine_.port.ignore_written();
  origin_ = sequencer_cycle_ = std::max({take_responses(phase_start_), taken, linked}) + 1;
}

void EngineRun::check_rows() {
  if (dataflow_ == nullptr) census_.emplace(records_, command_.row_count);
  for (std::uint32_t slot = 0; !stream_ && slot < command_.row_count; ++slot)
    check_row(path_.row(slot), slot, command_);
  const bool linked_rows = dataflow_ != nullptr && !stream_;
  for (std::uint32_t slot = 0; linked_rows && slot < command_.row_count; ++slot)
    if (lost_bodies(slot)) throw flipped_.stop(slot);
}

bool EngineRun::bring_early_rows() {
  const std::deque<std::uint64_t>& written = engine_.port.written;
  for (; come_ < command_.row_count && !has_bad_row_; ++come_) {
    const std::uint64_t beats = RowRecords::beats(command_.reduced, 0, come_ + 1);
    if (written.size() < beats) return false;
    const ppu_row row = records_[come_];
    has_bad_row_ = find_bad_field(row, come_, command_).detail != PPU_FAULT_NONE;
    if (has_bad_row_) break;
    path_.add(come_, row);
    dataflow_->arrive(path_.row(come_), written[beats - 1]);
  }
  if (engine_.port.unwritten > 0) return false;
  if (!has_bad_row_ || stop_) return true;
  sequencer_cycle_ = std::max(sequencer_cycle_, written.back() + 1);
  for (std::uint32_t slot = come_;; ++slot) check_row(records_[slot], slot, command_);
}

bool EngineRun::finish_early() {
  EnginePort& port = engine_.port;
  dataflow_->begin_linking(sequencer_cycle_ + 1);
  port.awaited_written = port.written.size() + port.unwritten;
  if (!bring_early_rows()) return false;
  port.ignore_written();
  early_ = false;
  closed_ = dataflow_->close_rings(cut_ ? over_budget_from_ : 0);
  return true;
}

void EngineRun::execute() {
  std::uint32_t budget = most_rows(engine_.observer);
  // A program without rows must not run for ever either: each instruction counts as a row.
  bool waits = false, more = true;
  while (more && budget > 0) {
    --budget;
    waits = !execute_one();
    if (waits) more = run_pass(&budget);
  }
  if (settled_ || engine_.port.blocked()) return;
  if (awaits_rows_) {
    engine_.port.quiet_until = quiet_until();
    return;
  }
  if (budget > 0) return settle();
  engine_.port.quiet_until = waits ? issue_.cursor() : sequencer_cycle_;
  if (waits || passes_.empty()) return;
  horizon_ = sequencer_cycle_;
  set_limits();
  catch_up();
}

void EngineRun::catch_up() {
  std::uint32_t budget = most_rows(engine_.observer);
  while (run_pass(&budget)) {
  }
  if (settled_ || engine_.port.blocked()) return;
  engine_.port.quiet_until = budget > 0 ? horizon_ : issue_.cursor();
  if (awaits_rows_) engine_.port.quiet_until = std::min(horizon_, quiet_until());
}

bool EngineRun::execute_one() {
  if (sequencer_cycle_ >= ends_at_) return false;
  if (is_stopped(sequencer_cycle_)) return drain();
  const Sequencer::Step step = sequencer_.step(*this);
  if (step == Sequencer::Step::kHalted) {
    ends_at_ = sequencer_cycle_;
    set_limits();
  }
  return step != Sequencer::Step::kWaiting;
}

bool EngineRun::drain() {
  if (!passes_.empty() || stop_) return false;
  if (early_ && !finish_early()) return false;
  if (flipped_.is(PPU_FAULT_LINK_MEMORY) && dataflow_ != nullptr) {
    dataflow_->send_rest();
    note_links();
    if (stop_) return false;
  }
  if (stream_ && !stream_->drain()) return false;
  charge_program(sequencer_cycle_);
  sequencer_cycle_ = std::max({sequencer_cycle_, issue_.drained(), pass_ends_[1], closed_});
  if (stream_) sequencer_cycle_ = std::max(sequencer_cycle_, stream_->drained());
  if (dataflow_ != nullptr) sequencer_cycle_ = std::max(sequencer_cycle_, dataflow_->drained());
  issue_.charge_until(sequencer_cycle_, PPU_COUNTER_DRAIN_CYCLES);
  if (engine_.observer != nullptr) engine_.observer->on_drained(sequencer_cycle_ - origin_);
  if (fault_) {
    ++sequencer_cycle_;
    throw RunStop(*fault_);
  }
  return true;
}

void EngineRun::check_move(bool ahead) {
  const auto lost = flipped_.check_move(*path_.velocities().front(), ahead);
  if (!lost) return;
  // The first two bodies in the cycle after the instruction; the run ends after that in which
  // they are kept.
  constexpr int kFirst = 1 + spec::kMoveCycles + 1;
  spend(kFirst + static_cast<int>(lost->value / 2) * pair_cycles(ahead));
  throw RunStop(*lost);
}

void EngineRun::rebase() {
  check_move(false);
  path_.rebase(&report_.counters);
  pass_over_bodies(false, spec::kMoveCycles);
}

bool EngineRun::extrapolate() {
  if (path_.velocities().front()->based) check_move(true);
  if (!path_.extrapolate(&report_.counters)) return false;
  const auto& config = engine_.config;
  pass_over_bodies(true, spec::kMoveCycles + spec::kLeadCycles +
                             static_cast<int>(config.fp_mul_stages + 2 * config.fp_add_stages));
  return true;
}

int EngineRun::pair_cycles(bool ahead) const {
  return ahead ? initiation_interval(engine_.config) : 1;
}

void EngineRun::pass_over_bodies(bool ahead, int latency) {
  if (command_.body_count == 0) return;
  const int meanwhile = word_cycles(engine_.config) - 1;  // in which the next word is fetched
  spend(static_cast<int>((command_.body_count + 1) / 2) * pair_cycles(ahead) + latency - meanwhile);
}

bool EngineRun::set_budget(std::uint32_t cycles) {
  if (sequencer_cycle_ >= over_budget_from_) return true;
  over_budget_from_ = cycles == 0 ? kNever : std::max(origin_ + cycles, sequencer_cycle_ + 1);
  if (stream_) stream_->set_limit(over_budget_from_);
  set_limits();
  return true;
}

void EngineRun::set_limits() {
  issue_.set_limit(limit(), horizon_);
  engine_.port.until = std::min({ends_at_, horizon_, stream_ ? stream_->limit() : kNever});
}

std::optional<std::uint32_t> EngineRun::cut_passes() {
  // Passes that the budget cuts are seen in the cycle after.
  const bool over_budget = sequencer_cycle_ > over_budget_from_;
  if (over_budget && !passes_.empty()) return std::nullopt;
  const auto passes =
      over_budget ? static_cast<std::uint32_t>(report_.counters[PPU_COUNTER_PASSES_CUT]) : 0;
  note(TraceKind::kRdlate, sequencer_cycle_, passes, 0);
  return passes;
}

std::uint32_t EngineRun::take_max_residual() {
  const float residual = maxima_.value();
  if (engine_.observer != nullptr) engine_.observer->on_residual(residual);
  maxima_.clear();
  return bits_of(residual);
}

std::optional<bool> EngineRun::residual_exceeds(std::uint32_t bits) {
  awaited_residual_ = bits;
  const bool others = !passes_.empty() && passes_.front().maximum != maxima_.current();
  const auto from = others ? std::nullopt : maxima_.exceeds_from(bits);
  const bool stopped = from && is_stopped(std::max(sequencer_cycle_, *from));
  if ((!from || stopped) && !drain()) return std::nullopt;
  awaited_residual_.reset();
  if (!from) return false;
  bmax_from_ = sequencer_cycle_;
  bmax_until_ = sequencer_cycle_ = std::max(sequencer_cycle_, *from);
  maxima_.change(sequencer_cycle_);
  return true;
}

void EngineRun::charge_program(std::uint64_t cycle) {
  issue_.charge_until(std::min(cycle, bmax_from_), PPU_COUNTER_CONTROL_CYCLES);
  issue_.charge_until(std::min(cycle, bmax_until_), PPU_COUNTER_DRAIN_CYCLES);
  issue_.charge_until(cycle, PPU_COUNTER_CONTROL_CYCLES);
}

void EngineRun::signal(std::uint32_t value) {
  engine_.port.signals.push_back({sequencer_cycle_ + 1, value});
}

}  // namespace ppu::hw
