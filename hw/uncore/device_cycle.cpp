// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Requests are decided first, then commands, then responses, so that each block sees the others as
// they were at the begin of the cycle.
#include "hw/uncore/device_cycle.hpp"

#include <algorithm>
#include <stdexcept>

namespace ppu::hw {

bool DeviceCycle::busy() const {
  return !on_.commands->idle() || !on_.dma->idle() || !on_.writer->idle() || busy_engines() > 0;
}

std::uint32_t DeviceCycle::busy_engines() const {
  std::uint32_t count = 0;
  for (const EngineLink* engine : on_.engines) count += engine->idle() ? 0 : 1;
  return count;
}

void DeviceCycle::run(std::uint64_t end) {
  end_ = end;
  for (BeatPort* port : {on_.host_read, on_.host_write, on_.memory}) port->learn(cycle_);
  const std::uint32_t interrupted = on_.registers->interrupts();
  while (cycle_ < end_ && busy()) {
    step();
    if (!changed_) skip();
    if ((on_.registers->interrupts() & ~interrupted) != 0) break;
  }
  show_signals();
}

void DeviceCycle::write_register(std::uint32_t offset, std::uint32_t value) {
  on_.registers->write(offset, value);
  step();
  show_signals();
}

void DeviceCycle::step() {
  using Taken = BeatPort::Taken;
  for (EngineLink* engine : on_.engines) engine->advance(cycle_);
  activity_ = {};
  activity_.dma_busy = !on_.dma->idle();
  activity_.busy_engines = busy_engines();

  on_.commands->ask();
  on_.dma->ask();
  on_.writer->ask();
  activity_.read = on_.host_read->take(cycle_);
  activity_.memory = on_.memory->take(cycle_);
  activity_.write = on_.host_write->take(cycle_);
  changed_ = activity_.read == Taken::kAccepted || activity_.memory == Taken::kAccepted ||
             activity_.memory == Taken::kAcceptedPair || activity_.write == Taken::kAccepted;

  changed_ |= take_flaw();
  const CommandProcessor::Work command = on_.commands->work(cycle_);
  activity_.command_waits = command == CommandProcessor::Work::kWaits;
  changed_ |= command == CommandProcessor::Work::kBegun;
  changed_ |= on_.writer->work(cycle_);
  changed_ |= on_.dma->work(cycle_);

  changed_ |= on_.commands->receive(cycle_);
  changed_ |= on_.writer->receive(cycle_);
  changed_ |= on_.dma->receive(cycle_);

  on_.counters->count(activity_, 1);
  for (EngineLink* engine : on_.engines) changed_ |= engine->spend(cycle_);
  changed_ |= on_.registers->end_cycle(cycle_);
  ++cycle_;
}

bool DeviceCycle::take_flaw() {
  const MemoryFlaw flaw = on_.memory->take_flaw(cycle_);
  on_.counters->add(PPU_DEVICE_COUNTER_MEMORY_WORDS_CORRECTED, flaw.corrected);
  if (flaw.lost != PPU_NONE) on_.registers->lose_word(on_.commands->heads(), flaw.lost);
  return flaw.found();
}

void DeviceCycle::skip() {
  const std::uint64_t next = next_event();
  const bool waits = on_.host_read->waits() || on_.host_write->waits() || on_.memory->waits() ||
                     std::any_of(on_.engines.begin(), on_.engines.end(),
                                 [](const EngineLink* link) { return link->waits_for_copies(); });
  if (next == kNever && !waits)
    throw std::logic_error("the device waits for something that never comes");
  const std::uint64_t target = std::min(next, end_);
  if (target <= cycle_) return;
  on_.counters->count(activity_, target - cycle_);
  cycle_ = target;
}

std::uint64_t DeviceCycle::next_event() const {
  const std::uint64_t now = cycle_ - 1;
  std::uint64_t next = std::min({on_.commands->next_event(), on_.writer->next_event(),
                                 on_.dma->next_event(), on_.host_read->next_event(now),
                                 on_.host_write->next_event(now), on_.memory->next_event(now)});
  for (const EngineLink* engine : on_.engines) next = std::min(next, engine->next_event(now));
  return next;
}

std::uint64_t DeviceCycle::next_change() const {
  return changed_ ? cycle_ : std::max(next_event(), cycle_);
}

void DeviceCycle::show_signals() {
  for (EngineLink* engine : on_.engines) engine->show_signals(cycle_);
}

std::uint32_t DeviceCycle::read_register(std::uint32_t offset, std::uint32_t lockstep_rows) const {
  return on_.registers->read(offset, busy(), on_.commands->heads(), lockstep_rows);
}

void DeviceCycle::reset() {
  on_.registers->reset();
  on_.counters->clear();
  on_.commands->reset();
  on_.dma->reset();
  on_.writer->reset();
  for (BeatPort* port : {on_.host_read, on_.host_write, on_.memory}) port->reset();
  for (EngineLink* engine : on_.engines) engine->reset();
  cycle_ = end_ = 0;
  changed_ = false;
}

}  // namespace ppu::hw
