// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/uncore/beat_port.hpp"

#include <algorithm>
#include <utility>

namespace ppu::hw {

void BeatPort::connect(BeatSlave& slave, std::vector<BeatMaster*> masters) {
  slave_ = &slave;
  masters_ = std::move(masters);
  reset();
}

void BeatPort::reset() {
  first_ = 0;
  waiting_ = masters_.size();
  flaws_.clear();
}

std::size_t BeatPort::pick(std::uint64_t cycle) const {
  const std::size_t count = masters_.size();
  if (waiting_ < count) return waiting_;
  for (std::size_t n = first_; n < count; ++n)
    if (masters_[n]->requests(cycle)) return n;
  for (std::size_t n = 0; n < first_; ++n)
    if (masters_[n]->requests(cycle)) return n;
  return count;
}

BeatPort::Taken BeatPort::take(std::uint64_t cycle) {
  const std::size_t master = pick(cycle);
  const std::size_t count = masters_.size();
  if (master == count) return Taken::kNone;
  const bool ready = slave_->ready(cycle);
  for (std::size_t n = 0; n < count; ++n)
    if (!ready || n != master) masters_[n]->hold();
  if (!ready) {
    waiting_ = master;
    return Taken::kWaits;
  }
  waiting_ = count;
  if (turn_ == Turn::kRoundRobin) first_ = (master + 1) % count;
  const BeatRequest request = masters_[master]->accept(cycle);
  if (trace_ != nullptr) {
    const bool memory = kind_ == TraceKind::kMemoryAccept;
    for (std::uint32_t n = 0; n < (request.pair ? 2U : 1U); ++n)
      trace_->on_event({cycle, kind_, static_cast<std::uint8_t>(memory ? master : 0),
                        request.address + n * spec::kBeatBytes, memory && request.write ? 1U : 0U});
  }
  slave_->access(cycle, request, static_cast<std::uint32_t>(master));
  learn(cycle + 1);
  return request.pair ? Taken::kAcceptedPair : Taken::kAccepted;
}

void BeatPort::learn(std::uint64_t least) {
  while (const BeatAnswer* answer = slave_->next(least)) {
    if (answer->flaw.found()) flaws_.push_back({answer->cycle, answer->flaw});
    masters_[answer->master]->answer(*answer);
  }
}

MemoryFlaw BeatPort::take_flaw(std::uint64_t cycle) {
  if (flaws_.empty() || flaws_.front().cycle != cycle) return {};
  const MemoryFlaw flaw = flaws_.front().flaw;
  flaws_.pop_front();
  return flaw;
}

std::uint64_t BeatPort::next_event(std::uint64_t now) const {
  const std::uint64_t accepted = waiting_ < masters_.size() ? slave_->next_ready(now) : kNever;
  return flaws_.empty() ? accepted : std::min(accepted, flaws_.front().cycle);
}

}  // namespace ppu::hw
