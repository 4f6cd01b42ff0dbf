// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/systemc/model.hpp"

#include <cstring>
#include <utility>

namespace ppu::systemc {

using Turn = hw::BeatPort::Turn;
using hw::TraceKind;

Model::Model(const sc_core::sc_object& device, const hw::Config& config,
             const hw::Surroundings& surroundings, Options options)
    : config_(config),
      options_(std::move(options)),
      u_registers("u_registers", config),
      u_commands("u_commands", config, options_.trace),
      u_dma("u_dma", config, options_.trace),
      u_arbiter("u_arbiter", Turn::kRoundRobin, TraceKind::kMemoryAccept, options_.trace),
      u_writer("u_writer", options_.trace),
      u_host_read("u_host_read", Turn::kFirst, TraceKind::kHostRead, options_.trace),
      u_host_write("u_host_write", Turn::kFirst, TraceKind::kHostWrite, options_.trace),
      u_dram("u_dram", config, surroundings),
      u_link("u_link", config, surroundings) {
  RtlChoice rtl(device.name(), options_.rtl);
  options_.observers.resize(config.engines);
  for (std::uint32_t n = 0; n < config.engines; ++n) {
    const std::string name = "gen_engine[" + std::to_string(n) + "]";
    const Engine::Around around{config_, surroundings.device_memory, message_, options_.trace};
    bind(gen_engine.emplace_back(name.c_str(), around, n, options_.observers[n].get(), rtl));
  }
  rtl.check();
  bind_all();
}

void Model::bind(EngineScope& scope) {
  Engine& engine = *scope.u_engine;
  engine.memory.bind(u_dram.beats);
  engine.registers.bind(u_registers.registers);
  u_arbiter.masters.bind(engine.beats);
  u_registers.engines.bind(engine.engine);
  u_commands.engines.bind(engine.engine);
  u_dma.engines.bind(engine.engine);
  u_writer.engines.bind(engine.engine);
  u_cycle.engines.bind(engine.engine);
}

void Model::bind_all() {
  u_registers.counters.bind(u_counters.counters);

  u_commands.registers.bind(u_registers.registers);
  u_commands.counters.bind(u_counters.counters);
  u_commands.dma.bind(u_dma.dma);
  u_commands.writer.bind(u_writer.writer);
  u_commands.memory.bind(u_dram.beats);

  u_dma.registers.bind(u_registers.registers);
  u_dma.counters.bind(u_counters.counters);

  u_writer.registers.bind(u_registers.registers);
  u_writer.counters.bind(u_counters.counters);

  // The DMA comes behind the engines.
  u_arbiter.masters.bind(u_dma.memory);
  u_arbiter.slave.bind(u_dram.beats);
  u_host_read.masters.bind(u_commands.fetch);
  u_host_read.masters.bind(u_dma.host_read);
  u_host_read.slave.bind(u_link.reads);
  u_host_write.masters.bind(u_writer.host_write);
  u_host_write.masters.bind(u_dma.host_write);
  u_host_write.slave.bind(u_link.writes);

  u_cycle.registers.bind(u_registers.registers);
  u_cycle.counters.bind(u_counters.counters);
  u_cycle.commands.bind(u_commands.commands);
  u_cycle.dma.bind(u_dma.dma);
  u_cycle.writer.bind(u_writer.writer);
  u_cycle.host_read.bind(u_host_read.port);
  u_cycle.host_write.bind(u_host_write.port);
  u_cycle.memory.bind(u_arbiter.port);
}

std::uint32_t Model::read_register(std::uint32_t offset) {
  std::uint64_t rows_checked = 0;
  for (const EngineScope& scope : gen_engine) rows_checked += scope.u_engine->rows_checked();
  return u_cycle.block.read_register(offset, static_cast<std::uint32_t>(rows_checked));
}

void Model::reset() {
  for (EngineScope& scope : gen_engine) scope.u_engine->reset();
  message_.clear();
  u_cycle.block.reset();
  u_dram.block.reset();
  u_link.block.reset();
}

std::uint32_t Model::copy_profile(std::uint32_t engine, std::uint32_t address) {
  if (engine >= gen_engine.size()) return 0;
  const std::vector<hw::RowProfile> profile = gen_engine[engine].u_engine->profile();
  const std::size_t bytes = profile.size() * sizeof(hw::RowProfile);
  if (bytes == 0 || address + bytes > options_.profiles.size_bytes) return 0;
  std::memcpy(options_.profiles.data + address, profile.data(), bytes);
  return static_cast<std::uint32_t>(profile.size());
}

}  // namespace ppu::systemc
