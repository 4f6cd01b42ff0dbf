// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/engine/row_stream.hpp"

#include <algorithm>

namespace ppu::hw {

RowStream::RowStream(const Config& config, const RowRecords& records, EnginePort& port, bool gated)
    : port_(port),
      records_(records),
      pipes_(config.pipes),
      pairs_(config.memory_port_beats == 2),
      gated_(gated),
      // Its place is free in the cycle after that of the last read, and may be used in the next.
      release_(static_cast<std::uint64_t>(last_jm_read(config)) + 2),
      free_(config.pipes, std::deque<std::uint64_t>(config.row_memory_rows / config.pipes, 0)) {
}

void RowStream::queue_pass(std::uint64_t cycle, std::uint32_t first, std::uint32_t count) {
  passes_.push_back({cycle + 1, first, first, first + count});
  posted_ = 0;
  post();
}

void RowStream::drop_pass() {
  if (!passes_.empty()) passes_.pop_back();
  port_.take_back(posted_);
}

void RowStream::post() {
  for (; !passes_.empty(); passes_.pop_front()) {
    Pass& pass = passes_.front();
    for (; pass.next < pass.end; ++pass.next) {
      std::deque<std::uint64_t>& free = free_[pass.next % pipes_];
      if (free.empty() || expired_) return;
      earliest_ = std::max({earliest_, pass.from, free.front()});
      free.pop_front();
      records_.request(pass.next, pass.next == pass.first, [&](RowRecords::Beats beats) {
        port_.post(
            {earliest_, beats.address, beats.count, false, pairs_ && beats.count == 2, gated_});
        posted_ += passes_.size() == 1 ? beats.count : 0;
      });
    }
  }
}

RowStream::Arrival RowStream::arrival(std::uint32_t slot, bool opens) {
  const std::uint32_t beats = records_.requested(slot, opens);
  const bool there = port_.responses.size() >= beats;
  port_.awaited = there || expired_ ? 0 : beats;
  return there ? Arrival::kThere : expired_ ? Arrival::kMissed : Arrival::kAwaited;
}

std::uint64_t RowStream::before_issue(std::uint32_t slot, bool opens) const {
  return port_.responses[records_.requested(slot, opens) - 1] + kFetchCycles;
}

void RowStream::gone(std::uint32_t slot, bool opens, std::uint64_t cycle) {
  take_beats(records_.requested(slot, opens));
  free_[slot % pipes_].push_back(cycle + release_);
  post();
}

void RowStream::take_beats(std::size_t count) {
  beats_ += count;
  drained_ = port_.take(count) + 1;
}

std::optional<std::uint64_t> RowStream::take(std::uint32_t slot, bool opens) {
  const std::uint32_t beats = records_.requested(slot, opens);
  if (port_.responses.size() < beats) return std::nullopt;
  const std::uint64_t cycle = port_.responses[beats - 1] + kFetchCycles;
  take_beats(beats);
  return cycle;
}

void RowStream::release(std::uint32_t pipe, std::uint32_t count, std::uint64_t cycle) {
  free_[pipe].insert(free_[pipe].end(), count, cycle);
  post();
}

std::uint64_t RowStream::known_until(std::uint64_t now) const {
  if (passes_.empty() && port_.owed == port_.responses.size()) return kNever;
  const std::uint64_t next = port_.responses.empty() ? drained_ : port_.responses.back() + 1;
  return std::max(now, next) + kFetchCycles;
}

bool RowStream::drain() {
  port_.awaited = port_.owed;
  if (port_.blocked()) return false;
  port_.awaited = 0;
  if (port_.owed > 0) take_beats(port_.owed);
  return true;
}

void RowStream::expire() {
  port_.withdraw(limit_ - 1);
  expired_ = true;
}

}  // namespace ppu::hw
