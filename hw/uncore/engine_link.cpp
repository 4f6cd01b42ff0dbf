// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/uncore/engine_link.hpp"

#include <cstring>

#include "hw/contract/row_records.hpp"
#include "hw/uncore/register_block.hpp"

namespace ppu::hw {

void EngineLink::start(std::uint64_t cycle, const RunCommand& command, std::uint32_t report_address,
                       ContextId context) {
  busy_ = true;
  context_ = context;
  spent_cycle_ = command.quota == 0 ? kNever : cycle + command.quota;
  report_address_ = report_address;
  memory_->peek(command.rows_address, RowRecords::bytes(command.reduced, 0, command.row_count));
  unit_->start(cycle, command);
}

void EngineLink::release(std::uint64_t cycle) {
  show_signals(cycle);
  unit_->release();
  busy_ = false;
}

std::uint64_t EngineLink::next_event(std::uint64_t now) const {
  std::uint64_t next = limit();
  if (port_.stands_from() > now) next = std::min(next, port_.stands_from());
  if (busy_ && port_.done_cycle > now) next = std::min(next, port_.done_cycle);
  if (busy_ && spent_cycle_ > now) next = std::min(next, spent_cycle_);
  return next;
}

void EngineLink::show_signals(std::uint64_t cycle) {
  std::deque<EnginePort::Signal>& signals = port_.signals;
  for (; !signals.empty() && signals.front().cycle <= cycle; signals.pop_front())
    registers_->show_progress({signals.front().cycle, index_, signals.front().value}, context_);
}

BeatRequest EngineLink::accept(std::uint64_t cycle) {
  const EnginePort::Request request = port_.requests.front();
  BeatRequest beat{request.address};
  beat.pair = request.pairs;
  if (request.write) {
    beat.write = true;
    beat.strobe = unit_->accept_write();
    beat.data = read_beat(device_memory_, request.address);
  }
  port_.accept(cycle);
  return beat;
}

void EngineLink::write(std::uint64_t cycle, std::uint32_t address, const Beat& data) {
  if (!busy_ || !port_.write(cycle, address)) return;
  std::memcpy(device_memory_.data + address, data.data(), data.size());
  unit_->take_written(data);
}

void EngineLink::answer(const BeatAnswer& answer) {
  take(answer, answer.address, answer.data);
  if (answer.pair) take(answer, answer.address + spec::kBeatBytes, answer.second);
}

void EngineLink::take(const BeatAnswer& answer, std::uint32_t address, const Beat& data) {
  if (!answer.write) std::memcpy(device_memory_.data + address, data.data(), data.size());
  unit_->answer(data);
  port_.respond(answer.cycle);
}

}  // namespace ppu::hw
