// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The blocks of the uncore as modules: each is a block in plain C++ (hw/uncore) with its ports.
// They have the names of the instances in rtl/device/ppu_top.sv.
#pragma once

#include "hw/systemc/offer.hpp"
#include "hw/uncore/beat_channel.hpp"
#include "hw/uncore/device_cycle.hpp"

namespace ppu::systemc {

class RegisterModule final : public sc_core::sc_module {
 public:
  RegisterModule(const sc_core::sc_module_name& name, const hw::Config& config)
      : sc_module(name), block(config) {}
  hw::RegisterBlock block;
  Offers<hw::RegisterBlock> registers{"registers", block};
  Needs<hw::CounterBlock> counters{"counters"};
  NeedsEach<hw::EngineLink> engines{"engines"};

 private:
  void end_of_elaboration() override { block.connect(counters.get(), engines.all()); }
};

class DeviceCounters final : public sc_core::sc_module {
 public:
  explicit DeviceCounters(const sc_core::sc_module_name& name) : sc_module(name) {}
  hw::CounterBlock block;
  Offers<hw::CounterBlock> counters{"counters", block};
};

class CommandProcessor final : public sc_core::sc_module {
 public:
  CommandProcessor(const sc_core::sc_module_name& name, const hw::Config& config,
                   hw::TraceSink* trace)
      : sc_module(name), block(config, trace) {}
  hw::CommandProcessor block;
  Offers<hw::CommandProcessor> commands{"commands", block};
  Offers<hw::BeatMaster> fetch{"fetch", block};
  Needs<hw::RegisterBlock> registers{"registers"};
  Needs<hw::CounterBlock> counters{"counters"};
  Needs<hw::Dma> dma{"dma"};
  Needs<hw::HostWriter> writer{"writer"};
  Needs<hw::BeatSlave> memory{"memory"};
  NeedsEach<hw::EngineLink> engines{"engines"};

 private:
  void end_of_elaboration() override {
    block.connect({&registers.get(), &counters.get(), &dma.get(), &writer.get(), &memory.get(),
                   engines.all()});
  }
};

class Dma final : public sc_core::sc_module {
 public:
  Dma(const sc_core::sc_module_name& name, const hw::Config& config, hw::TraceSink* trace)
      : sc_module(name), block(config, trace) {}
  hw::Dma block;
  Offers<hw::Dma> dma{"dma", block};
  Offers<hw::BeatMaster> host_read{"host_read", block.host_reads()};
  Offers<hw::BeatMaster> host_write{"host_write", block.host_writes()};
  Offers<hw::BeatMaster> memory{"memory", block.memory()};
  Needs<hw::RegisterBlock> registers{"registers"};
  Needs<hw::CounterBlock> counters{"counters"};
  NeedsEach<hw::EngineLink> engines{"engines"};

 private:
  void end_of_elaboration() override {
    block.connect({&registers.get(), &counters.get(), engines.all()});
  }
};

class Writer final : public sc_core::sc_module {
 public:
  Writer(const sc_core::sc_module_name& name, hw::TraceSink* trace)
      : sc_module(name), block(trace) {}
  hw::HostWriter block;
  Offers<hw::HostWriter> writer{"writer", block};
  Offers<hw::BeatMaster> host_write{"host_write", block};
  Needs<hw::RegisterBlock> registers{"registers"};
  Needs<hw::CounterBlock> counters{"counters"};
  NeedsEach<hw::EngineLink> engines{"engines"};

 private:
  void end_of_elaboration() override {
    block.connect({&registers.get(), &counters.get(), engines.all()});
  }
};

/// The arbiter of device memory, or a port of the host link.
class Port final : public sc_core::sc_module {
 public:
  Port(const sc_core::sc_module_name& name, hw::BeatPort::Turn turn, hw::TraceKind kind,
       hw::TraceSink* trace)
      : sc_module(name), block(turn, kind, trace) {}
  hw::BeatPort block;
  Offers<hw::BeatPort> port{"port", block};
  NeedsEach<hw::BeatMaster> masters{"masters"};
  Needs<hw::BeatSlave> slave{"slave"};

 private:
  void end_of_elaboration() override { block.connect(slave.get(), masters.all()); }
};

/// Device memory, beside the RTL's top module.
class Dram final : public sc_core::sc_module {
 public:
  Dram(const sc_core::sc_module_name& name, const hw::Config& config,
       const hw::Surroundings& surroundings)
      : sc_module(name), block(config, surroundings) {}
  hw::Dram block;
  Offers<hw::BeatSlave> beats{"beats", block.channel()};
};

/// The host link, beside the RTL's top module.
class HostLink final : public sc_core::sc_module {
 public:
  HostLink(const sc_core::sc_module_name& name, const hw::Config& config,
           const hw::Surroundings& surroundings)
      : sc_module(name), block(config, surroundings) {}
  hw::HostLink block;
  Offers<hw::BeatSlave> reads{"reads", block.reads()};
  Offers<hw::BeatSlave> writes{"writes", block.writes()};
};

/// The number of the cycle, and what goes on in it.
class Cycle final : public sc_core::sc_module {
 public:
  explicit Cycle(const sc_core::sc_module_name& name) : sc_module(name) {}
  hw::DeviceCycle block;
  Needs<hw::RegisterBlock> registers{"registers"};
  Needs<hw::CounterBlock> counters{"counters"};
  Needs<hw::CommandProcessor> commands{"commands"};
  Needs<hw::Dma> dma{"dma"};
  Needs<hw::HostWriter> writer{"writer"};
  Needs<hw::BeatPort> host_read{"host_read"}, host_write{"host_write"}, memory{"memory"};
  NeedsEach<hw::EngineLink> engines{"engines"};

 private:
  void end_of_elaboration() override {
    block.connect({&registers.get(), &counters.get(), &commands.get(), &dma.get(), &writer.get(),
                   &host_read.get(), &host_write.get(), &memory.get(), engines.all()});
  }
};

}  // namespace ppu::systemc
