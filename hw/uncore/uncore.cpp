// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// One cycle of the uncore, and how idle cycles are skipped. Requests are decided first, then
// commands, then responses, so that each part sees the others as they were at the begin of the
// cycle.
#include "hw/uncore/uncore.hpp"

#include <algorithm>
#include <stdexcept>

namespace ppu::hw {

Uncore::Uncore(const Config& config, const Surroundings& surroundings,
               const std::vector<EngineConnection>& engines, TraceSink* trace)
    : trace_(trace),
      device_memory_(surroundings.device_memory),
      memory_target_(surroundings.memory),
      checker_(config),
      registers_(config),
      dma_(
          config,
          [this](std::uint32_t address, const std::uint32_t* words) {
            constexpr std::uint32_t kWords = spec::kBeatBytes / sizeof *words;
            for (const Engine& engine : engines_) engine.unit->load_program(address, words, kWords);
          },
          counters_),
      arbiter_(static_cast<std::uint32_t>(engines.size()) + 1),
      link_(config),
      reads_(surroundings.host_reads, LinkPort(link_, LinkChannel::kRead)),
      writes_(surroundings.host_writes, LinkPort(link_, LinkChannel::kWrite)),
      memory_(surroundings.memory, DramTiming(config, surroundings.memory_outside)) {
  for (const EngineConnection& engine : engines) engines_.push_back({&engine.unit, &engine.port});
}

void Uncore::run(std::uint64_t end) {
  end_ = end;
  learn_answers(cycle_);
  engine_limit_ = kNever;
  for (const Engine& engine : engines_) engine_limit_ = std::min(engine_limit_, limit_of(engine));
  const bool interrupted = interrupt();
  while (cycle_ < std::min(end_, engine_limit_) && busy()) {
    step();
    if (!activity_.changed) skip();
    if (interrupt() && !interrupted) break;
  }
  take_signals();
}

void Uncore::write_register(std::uint32_t offset, std::uint32_t value) {
  write_ = {offset, value};
  step();
  take_signals();
}

void Uncore::step() {
  activity_ = {};
  activity_.dma_busy = !dma_.idle();
  activity_.busy_engines = busy_engines_;
  const Dma::State dma_state = dma_.state();

  accept_host_read();
  accept_memory();
  accept_host_write();
  execute();
  if (writer_.idle()) take_report();
  work_dma();
  receive();

  if (dma_.state() != dma_state)
    trace(TraceKind::kDmaPhase, cycle_ + 1, 0, static_cast<std::uint64_t>(dma_.state()), 0);
  count(1);
  end_cycle();
  ++cycle_;
}

void Uncore::count(std::uint64_t cycles) {
  const auto add = [this](ppu_device_counter which, std::uint64_t amount) {
    counters_[which] += amount;
  };
  const auto add_if = [&](bool condition, ppu_device_counter which) {
    if (condition) add(which, cycles);
  };
  add(PPU_DEVICE_COUNTER_DEVICE_CYCLES, cycles);
  add(PPU_DEVICE_COUNTER_ENGINE_BUSY_CYCLES, activity_.busy_engines * cycles);
  add_if(activity_.dma_busy, PPU_DEVICE_COUNTER_DMA_BUSY_CYCLES);
  add_if(activity_.command_waits, PPU_DEVICE_COUNTER_COMMAND_WAIT_CYCLES);
  add_if(activity_.read_accepted, PPU_DEVICE_COUNTER_HOST_READ_BEATS);
  add_if(activity_.write_accepted, PPU_DEVICE_COUNTER_HOST_WRITE_BEATS);
  add_if(activity_.memory_accepted, PPU_DEVICE_COUNTER_MEMORY_BEATS);
  add_if(activity_.memory_waits, PPU_DEVICE_COUNTER_MEMORY_WAIT_CYCLES);
}

void Uncore::end_cycle() {
  if (write_) {
    activity_.changed = true;
    const DeviceRegisters::Request request = registers_.write(write_->offset, write_->value);
    if (request == DeviceRegisters::Request::kDoorbell) ++counters_[PPU_DEVICE_COUNTER_DOORBELLS];
    if (request == DeviceRegisters::Request::kCancel)
      for (const Engine& engine : engines_)
        if (engine.busy) engine.unit->cancel(cycle_);
    write_.reset();
  }
  for (std::optional<CommandError>* error : {&run_failed_, &bad_descriptor_, &rejection_}) {
    if (*error) registers_.push_error(**error);
    error->reset();
  }
  if (raise_fence_) registers_.raise(DeviceRegisters::kFenceInterrupt);
  raise_fence_ = false;
  if (reset_) counters_ = {};
  reset_ = false;
}

void Uncore::skip() {
  const std::uint64_t next = next_event();
  const bool waits = reads_.waits() || writes_.waits() || memory_.waits();
  if (next == kNever && engine_limit_ == kNever && !waits)
    throw std::logic_error("the device waits for something that never comes");
  const std::uint64_t target = std::min({next, engine_limit_, end_});
  if (target <= cycle_) return;
  count(target - cycle_);
  cycle_ = target;
}

std::uint64_t Uncore::next_event() const {
  const std::uint64_t now = cycle_ - 1;
  std::uint64_t next = kNever;
  const auto consider = [&next](std::uint64_t cycle) { next = std::min(next, cycle); };
  if (!read_answers_.empty()) consider(read_answers_.front().cycle);
  if (!write_answers_.empty()) consider(write_answers_.front().cycle);
  if (!dma_answers_.empty()) consider(dma_answers_.front().cycle);
  if (activity_.read_waits) consider(reads_.next_ready(now));
  if (activity_.write_waits) consider(writes_.next_ready(now));
  if (activity_.memory_waits) consider(memory_.next_ready(now));
  for (const Engine& engine : engines_) {
    const EnginePort& port = *engine.port;
    if (!port.requests.empty() && port.requests.front().cycle > now)
      consider(port.requests.front().cycle);
    if (engine.busy && port.done_cycle > now) consider(port.done_cycle);
  }
  return next;
}

std::uint64_t Uncore::next_change() const {
  if (activity_.changed) return cycle_;
  std::uint64_t next = next_event();
  for (const Engine& engine : engines_) next = std::min(next, limit_of(engine));
  return std::max(next, cycle_);
}

void Uncore::take_signals() {
  for (std::size_t n = 0; n < engines_.size(); ++n) {
    std::deque<EnginePort::Signal>& signals = engines_[n].port->signals;
    for (; !signals.empty() && signals.front().cycle <= cycle_; signals.pop_front()) {
      const EnginePort::Signal& next = signals.front();
      // Of several in a cycle that of the highest engine.
      if (next.cycle > signal_.cycle || (next.cycle == signal_.cycle && n >= signal_.engine))
        signal_ = {next.cycle, n, next.value};
    }
  }
}

std::uint32_t Uncore::read_register(std::uint32_t offset, std::uint32_t lockstep_rows) const {
  return registers_.read(offset, {busy(), fetch_.head(), signal_.value, lockstep_rows});
}

}  // namespace ppu::hw
