// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The ports of the uncore: who may use host link and device memory in a cycle, and the responses.
#include <algorithm>

#include "ppu/hw/uncore.hpp"

namespace ppu::hw {

void Uncore::accept_host_read() {
  const bool fetches = fetch_.wants_read(registers_.ring_tail());
  const bool lists = dma_.wants_list();
  if (!fetches && !lists && !dma_.wants_host_read()) return;
  if (!link_.ready(LinkChannel::kRead, cycle_)) {
    activity_.read_waits = true;
    return;
  }
  const ReadTarget target = fetches ? ReadTarget::kFetch
                            : lists ? ReadTarget::kList
                                    : ReadTarget::kDma;
  std::uint32_t address = 0;
  switch (target) {
    case ReadTarget::kFetch:
      address = registers_.command_address(fetch_.next());
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
  host_reads_.emplace_back(link_.access(LinkChannel::kRead, cycle_), target);
  trace(TraceKind::kHostRead, cycle_, 0, address, 0);
}

void Uncore::accept_host_write() {
  const bool writer = writer_.wants_write();
  if (!writer && !dma_.wants_host_write()) return;
  if (!link_.ready(LinkChannel::kWrite, cycle_)) {
    activity_.write_waits = true;
    return;
  }
  trace(TraceKind::kHostWrite, cycle_, 0, writer ? writer_.address() : dma_.write_beat(), 0);
  if (writer)
    writer_.accept_write(counters_);
  else
    dma_.accept_write();
  activity_.changed = activity_.write_accepted = true;
  host_writes_.emplace_back(link_.access(LinkChannel::kWrite, cycle_),
                            writer ? WriteSource::kWriter : WriteSource::kDma);
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
  if (!dram_.ready(cycle_)) {
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
  EnginePort::Request& request = port.requests.front();
  trace(TraceKind::kMemoryAccept, cycle_, index, request.address, request.write ? 1 : 0);
  if (request.write) engine.unit->accept_write();
  // The engine may know the cycle of the response at once: all that it does comes after it.
  port.responses.push_back(dram_.access(cycle_, request.address));
  request.address += spec::kBeatBytes;
  if (--request.beats == 0) port.requests.pop_front();
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
