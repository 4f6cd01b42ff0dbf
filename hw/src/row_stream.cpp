// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "ppu/hw/row_stream.hpp"

#include <algorithm>

namespace ppu::hw {
namespace {

constexpr std::uint32_t kRowBeats = PPU_ROW_BYTES / spec::kBeatBytes;

}  // namespace

RowStream::RowStream(const Config& config, const RunCommand& command, EnginePort& port)
    : port_(port),
      rows_address_(command.rows_address),
      pipes_(config.pipes),
      release_(static_cast<std::uint64_t>(last_jm_read(config)) + 1),
      free_(config.pipes, std::deque<std::uint64_t>(config.row_memory_rows / config.pipes, 0)) {
}

void RowStream::queue_pass(std::uint64_t cycle, std::uint32_t first, std::uint32_t count) {
  passes_.push_back({cycle + 1, first, first + count});
  post();
}

void RowStream::post() {
  for (; !passes_.empty(); passes_.pop_front()) {
    Pass& pass = passes_.front();
    for (; pass.next < pass.end; ++pass.next) {
      std::deque<std::uint64_t>& free = free_[pass.next % pipes_];
      if (free.empty()) return;
      const std::uint64_t cycle = std::max(pass.from, free.front());
      free.pop_front();
      const std::uint32_t address = rows_address_ + pass.next * PPU_ROW_BYTES;
      port_.post({cycle, address, kRowBeats, false});
    }
  }
}

bool RowStream::arrived() {
  port_.awaited = port_.responses.size() < kRowBeats ? kRowBeats : 0;
  return port_.awaited == 0;
}

std::uint64_t RowStream::take() {
  return port_.take(kRowBeats) + kFetchCycles;
}

void RowStream::issued(std::uint32_t slot, std::uint64_t cycle) {
  free_[slot % pipes_].push_back(cycle + release_);
  post();
}

}  // namespace ppu::hw
