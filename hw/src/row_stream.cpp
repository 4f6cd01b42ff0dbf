// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "ppu/hw/row_stream.hpp"

#include <algorithm>

namespace ppu::hw {
namespace {

/// Cycles from the arrival of a record to the issue stage.
constexpr std::uint64_t kFetchCycles = 3;

}  // namespace

RowStream::RowStream(const Config& config, const RowRecords& records, EnginePort& port)
    : port_(port),
      records_(records),
      pipes_(config.pipes),
      release_(static_cast<std::uint64_t>(last_jm_read(config)) + 1),
      free_(config.pipes, std::deque<std::uint64_t>(config.row_memory_rows / config.pipes, 0)) {
}

void RowStream::queue_pass(std::uint64_t cycle, std::uint32_t first, std::uint32_t count) {
  passes_.push_back({cycle + 1, first, first, first + count});
  post();
}

void RowStream::post() {
  for (; !passes_.empty(); passes_.pop_front()) {
    Pass& pass = passes_.front();
    for (; pass.next < pass.end; ++pass.next) {
      std::deque<std::uint64_t>& free = free_[pass.next % pipes_];
      if (free.empty() || port_.expired) return;
      earliest_ = std::max({earliest_, pass.from, free.front()});
      free.pop_front();
      records_.request(pass.next, pass.next == pass.first, [&](RowRecords::Beats beats) {
        port_.post({earliest_, beats.address, beats.count, false});
        beats_ += beats.count;
      });
    }
  }
}

RowStream::Arrival RowStream::arrival(std::uint32_t slot, bool opens) {
  const std::uint32_t beats = records_.requested(slot, opens);
  const bool there = port_.responses.size() >= beats;
  port_.awaited = there || port_.expired ? 0 : beats;
  return there ? Arrival::kThere : port_.expired ? Arrival::kMissed : Arrival::kAwaited;
}

std::uint64_t RowStream::take(std::uint32_t slot, bool opens) {
  const std::uint64_t last = port_.take(records_.requested(slot, opens));
  drained_ = last + 1;
  return last + kFetchCycles;
}

void RowStream::gone(std::uint32_t slot, std::uint64_t cycle) {
  free_[slot % pipes_].push_back(cycle + release_);
  post();
}

bool RowStream::drain() {
  port_.awaited = port_.owed;
  if (port_.blocked()) return false;
  port_.awaited = 0;
  if (port_.owed > 0) drained_ = port_.take(port_.owed) + 1;
  return true;
}

}  // namespace ppu::hw
