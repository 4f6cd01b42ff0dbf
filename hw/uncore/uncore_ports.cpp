// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The ports of the uncore: who may use host link and device memory in a cycle, and the responses.
#include <algorithm>

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
  if (!link_.ready(LinkChannel::kRead, cycle_)) {
    waiting_read_ = target;
    activity_.read_waits = true;
    return;
  }
  waiting_read_.reset();
  std::uint32_t address = 0;
  switch (*target) {
    case ReadTarget::kFetch:
      address = *fetch_.requested();
      fetch_.accept_read(read_beat(host_, address), checker_);
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
  host_reads_.emplace_back(link_.access(LinkChannel::kRead, cycle_), *target);
  trace(TraceKind::kHostRead, cycle_, 0, address, 0);
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
  if (!link_.ready(LinkChannel::kWrite, cycle_)) {
    waiting_write_ = source;
    activity_.write_waits = true;
    return;
  }
  waiting_write_.reset();
  const bool writer = *source == WriteSource::kWriter;
  trace(TraceKind::kHostWrite, cycle_, 0, writer ? writer_.address() : dma_.write_beat(), 0);
  if (writer)
    writer_.accept_write();
  else
    dma_.accept_write();
  activity_.changed = activity_.write_accepted = true;
  host_writes_.emplace_back(link_.access(LinkChannel::kWrite, cycle_), *source);
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
  const bool ready = dram_.ready(cycle_);
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
  if (request.write) engine.unit->accept_write();
  // The engine may know the cycle of the response at once: all that it does comes after it.
  port.accept(cycle_, dram_.access(cycle_, request.address));
  engine_limit_ = std::min(engine_limit_, limit_of(engine));
}

void Uncore::accept_dma_beat() {
  const bool write = dma_.wants_memory_write();
  const std::uint32_t address = write ? dma_.write_beat() : dma_.read_beat();
  trace(TraceKind::kMemoryAccept, cycle_, engines_.size(), address, write ? 1 : 0);
  if (write)
    dma_.accept_write();
  else
    dma_.accept_read();
  dma_memory_.emplace_back(dram_.access(cycle_, address),
                           write ? MemoryKind::kWrite : MemoryKind::kRead);
}

void Uncore::receive() {
  if (!host_reads_.empty() && host_reads_.front().cycle == cycle_) {
    activity_.changed = true;
    switch (host_reads_.front().kind) {
      case ReadTarget::kFetch:
        fetch_.receive();
        break;
      case ReadTarget::kList:
        dma_.receive_list();
        break;
      case ReadTarget::kDma:
        dma_.receive_read();
        break;
    }
    host_reads_.pop_front();
  }
  if (!host_writes_.empty() && host_writes_.front().cycle == cycle_) {
    activity_.changed = true;
    if (host_writes_.front().kind == WriteSource::kDma)
      dma_.acknowledge();
    else if (writer_.acknowledge())
      finish_write();
    host_writes_.pop_front();
  }
  if (!dma_memory_.empty() && dma_memory_.front().cycle == cycle_) {
    activity_.changed = true;
    if (dma_memory_.front().kind == MemoryKind::kRead)
      dma_.receive_read();
    else
      dma_.acknowledge();
    dma_memory_.pop_front();
  }
}

}  // namespace ppu::hw
