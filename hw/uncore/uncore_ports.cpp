// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The ports of the uncore: who may use host link and device memory in a cycle, and the responses.
#include <algorithm>
#include <cstring>

#include "hw/uncore/uncore.hpp"

namespace ppu::hw {

std::optional<Uncore::ReadTarget> Uncore::next_host_read() const {
  if (waiting_read_) return waiting_read_;
  if (fetch_.requested()) return ReadTarget::kFetch;
  if (dma_.wants_list()) return ReadTarget::kList;
  if (dma_.wants_host_read()) return ReadTarget::kDma;
  return {};
}

void Uncore::accept_host_read() {
  if (!fetch_.requested() && fetch_.can_read(registers_.ring_tail()))
    fetch_.request(registers_.command_address(fetch_.next()));
  const std::optional<ReadTarget> target = next_host_read();
  if (!target) return;
  if (!reads_.ready(cycle_)) {
    waiting_read_ = target;
    activity_.read_waits = true;
    return;
  }
  waiting_read_.reset();
  std::uint32_t address = 0;
  switch (*target) {
    case ReadTarget::kFetch:
      address = *fetch_.requested();
      fetch_.accept_read();
      break;
    case ReadTarget::kList:
      address = dma_.list_beat();
      dma_.accept_list();
      break;
    case ReadTarget::kDma:
      address = dma_.read_beat();
      dma_.accept_read();
      break;
  }
  activity_.changed = activity_.read_accepted = true;
  trace(TraceKind::kHostRead, cycle_, 0, address, 0);
  reads_.access({cycle_, address, false}, *target);
  learn_answers(cycle_ + 1);
}

std::optional<Uncore::WriteSource> Uncore::next_host_write() const {
  if (waiting_write_) return waiting_write_;
  if (writer_.wants_write()) return WriteSource::kWriter;
  if (dma_.wants_host_write()) return WriteSource::kDma;
  return {};
}

void Uncore::accept_host_write() {
  if (writer_.wants_write()) writer_.request(counters_);
  const std::optional<WriteSource> source = next_host_write();
  if (!source) return;
  if (!writes_.ready(cycle_)) {
    waiting_write_ = source;
    activity_.write_waits = true;
    return;
  }
  waiting_write_.reset();
  const bool writer = *source == WriteSource::kWriter;
  const std::uint32_t address = writer ? writer_.address() : dma_.write_beat();
  trace(TraceKind::kHostWrite, cycle_, 0, address, 0);
  const StrobedBeat beat = writer ? writer_.accept_write() : dma_.accept_write();
  activity_.changed = activity_.write_accepted = true;
  writes_.access({cycle_, address, true, beat.strobe}, *source, &beat.data);
  learn_answers(cycle_ + 1);
}

bool Uncore::has_request(std::uint32_t requester) const {
  if (requester == engines_.size()) return dma_.wants_memory_write() || dma_.wants_memory_read();
  const EnginePort& port = *engines_[requester].port;
  return !port.requests.empty() && port.requests.front().cycle <= cycle_;
}

void Uncore::accept_memory() {
  const std::uint32_t requester =
      arbiter_.pick([this](std::uint32_t candidate) { return has_request(candidate); });
  if (requester == arbiter_.requesters()) return;
  const bool ready = memory_.ready(cycle_);
  if (!ready || requester < engines_.size()) dma_.wait_for_memory();
  if (!ready) {
    arbiter_.wait(requester);
    activity_.memory_waits = true;
    return;
  }
  arbiter_.accept(requester);
  activity_.changed = activity_.memory_accepted = true;
  if (requester < engines_.size())
    accept_engine_beat(engines_[requester], requester);
  else
    accept_dma_beat();
}

void Uncore::accept_engine_beat(Engine& engine, std::uint32_t index) {
  EnginePort& port = *engine.port;
  const EnginePort::Request& request = port.requests.front();
  trace(TraceKind::kMemoryAccept, cycle_, index, request.address, request.write ? 1 : 0);
  if (request.write) {
    const std::uint64_t strobe = engine.unit->accept_write();
    const Beat data = read_beat(device_memory_, request.address);
    memory_.access({cycle_, request.address, true, strobe}, index, &data);
  } else {
    memory_.access({cycle_, request.address, false}, index);
  }
  port.accept(cycle_);
  learn_memory_answers(cycle_ + 1);
}

void Uncore::accept_dma_beat() {
  const bool write = dma_.wants_memory_write();
  const std::uint32_t address = write ? dma_.write_beat() : dma_.read_beat();
  trace(TraceKind::kMemoryAccept, cycle_, engines_.size(), address, write ? 1 : 0);
  const auto dma = static_cast<std::uint32_t>(engines_.size());
  if (write) {
    const StrobedBeat beat = dma_.accept_write();
    memory_.access({cycle_, address, true, beat.strobe}, dma, &beat.data);
  } else {
    dma_.accept_read();
    memory_.access({cycle_, address, false}, dma);
  }
  learn_memory_answers(cycle_ + 1);
}

void Uncore::learn_answers(std::uint64_t least) {
  while (const HostReads::Answer* answer = reads_.next(least)) read_answers_.push_back(*answer);
  while (const HostWrites::Answer* answer = writes_.next(least)) write_answers_.push_back(*answer);
  learn_memory_answers(least);
}

void Uncore::learn_memory_answers(std::uint64_t least) {
  while (const DeviceMemory::Answer* answer = memory_.next(least)) {
    if (answer->tag == engines_.size()) {
      dma_answers_.push_back(*answer);
      continue;
    }
    // The engine may know the cycle of the response at once: all that it does comes after it.
    Engine& engine = engines_[answer->tag];
    if (!answer->write)
      std::memcpy(device_memory_.data + answer->address, answer->data.data(), answer->data.size());
    engine.port->respond(answer->cycle);
    engine_limit_ = std::min(engine_limit_, limit_of(engine));
  }
}

void Uncore::receive() {
  if (!read_answers_.empty() && read_answers_.front().cycle == cycle_) {
    const HostReads::Answer& answer = read_answers_.front();
    activity_.changed = true;
    switch (answer.tag) {
      case ReadTarget::kFetch:
        fetch_.receive(answer.data, checker_);
        break;
      case ReadTarget::kList:
        dma_.receive_list(answer.data);
        break;
      case ReadTarget::kDma:
        dma_.receive_read(answer.data);
        break;
    }
    read_answers_.pop_front();
  }
  if (!write_answers_.empty() && write_answers_.front().cycle == cycle_) {
    activity_.changed = true;
    if (write_answers_.front().tag == WriteSource::kDma)
      dma_.acknowledge();
    else if (writer_.acknowledge())
      finish_write();
    write_answers_.pop_front();
  }
  if (!dma_answers_.empty() && dma_answers_.front().cycle == cycle_) {
    activity_.changed = true;
    if (dma_answers_.front().write)
      dma_.acknowledge();
    else
      dma_.receive_read(dma_answers_.front().data);
    dma_answers_.pop_front();
  }
}

}  // namespace ppu::hw
