// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/uncore/uncore.hpp"

namespace ppu::hw {

Uncore::Uncore(const Config& config, const Surroundings& surroundings,
               const std::vector<EngineConnection>& engines, TraceSink* trace)
    : registers_(config),
      commands_(config, trace),
      dma_(config, trace),
      writer_(trace),
      host_read_(BeatPort::Turn::kFirst, TraceKind::kHostRead, trace),
      host_write_(BeatPort::Turn::kFirst, TraceKind::kHostWrite, trace),
      arbiter_(BeatPort::Turn::kRoundRobin, TraceKind::kMemoryAccept, trace),
      link_(config, surroundings),
      dram_(config, surroundings) {
  std::vector<EngineLink*> links;
  std::vector<BeatMaster*> masters;
  for (const EngineConnection& engine : engines) {
    EngineLink& link = engines_.emplace_back(engine.port, surroundings.device_memory,
                                             static_cast<std::uint32_t>(links.size()));
    link.connect(engine.unit, dram_.channel(), registers_);
    links.push_back(&link);
    masters.push_back(&link);
  }
  masters.push_back(&dma_.memory());
  registers_.connect(counters_, links);
  commands_.connect({&registers_, &counters_, &dma_, &writer_, &dram_.channel(), links});
  dma_.connect({&registers_, &counters_, links});
  writer_.connect({&registers_, &counters_, links});
  host_read_.connect(link_.reads(), {&commands_, &dma_.host_reads()});
  host_write_.connect(link_.writes(), {&writer_, &dma_.host_writes()});
  arbiter_.connect(dram_.channel(), masters);
  DeviceCycle::connect({&registers_, &counters_, &commands_, &dma_, &writer_, &host_read_,
                        &host_write_, &arbiter_, links});
}

void Uncore::reset() {
  DeviceCycle::reset();
  link_.reset();
  dram_.reset();
}

}  // namespace ppu::hw
