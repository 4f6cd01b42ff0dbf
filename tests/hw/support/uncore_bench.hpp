// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A bench around the uncore, with engines that only read, write and wait. On its plain link a read
// takes 21 cycles, a write 11, device memory 2.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "hw/contract/mapped_memory.hpp"
#include "hw/uncore/uncore.hpp"
#include "tests/hw/support/device_host.hpp"

namespace ppu::hw::test {

using Cycles = std::vector<std::uint64_t>;

/// Reads row_count beats, then writes body_count beats, then is done argument 0 cycles later. With
/// argument 2, no read is requested anew from that cycle on.
class FakeEngine final : public EngineUnit {
 public:
  void load_program(std::uint32_t address, const std::uint32_t* words,
                    std::uint32_t count) override {
    for (std::uint32_t n = 0; n < count; ++n) program[address + n] = words[n];
  }
  void flip(const CommandWords& /*command*/) override {}
  void start(std::uint64_t cycle, const RunCommand& command) override {
    command_ = command;
    seen_ = cycle;
    report_ = {};
    report_.command = command.command;
    report_.status = static_cast<ppu_run_status>(command.arguments[1]);
    if (command.arguments[2] != 0) port.until = command.arguments[2];
    post(command.rows_address, command.row_count, false);
  }
  void advance() override {
    if (port.until != kNever && port.limit() == port.until) {
      port.withdraw(port.until - 1);
      port.until = kNever;
      port.awaited = port.owed;
    }
    if (port.blocked()) return;
    if (port.awaited > 0) seen_ = port.take(port.awaited);
    port.awaited = 0;
    if (command_.body_count > 0) {
      post(command_.velocities_address, command_.body_count, true);
      command_.body_count = 0;
    } else {
      port.done_cycle = seen_ + 1 + command_.arguments[0];
    }
  }
  void cancel(std::uint64_t cycle) override { cancelled_in = cycle; }
  std::uint64_t accept_write() override {
    ++written;
    return strobe_of(0, spec::kBeatBytes);
  }
  [[nodiscard]] const RunReport& report() const override { return report_; }
  void release() override { port = {}; }

  EnginePort port;
  std::array<std::uint32_t, 64> program{};
  std::uint64_t cancelled_in = kNever;
  std::uint32_t written = 0;
  bool pairs = false;  ///< Reads two beats at a time.

 private:
  void post(std::uint32_t address, std::uint32_t beats, bool write) {
    if (beats > 0) port.post({seen_ + 1, address, beats, write, pairs && !write});
    port.awaited = beats;
  }

  RunCommand command_;
  RunReport report_;
  std::uint64_t seen_ = 0;
};

class Events final : public TraceSink {
 public:
  void on_event(const TraceEvent& event) override { all.push_back(event); }
  [[nodiscard]] Cycles cycles(TraceKind kind) const {
    Cycles found;
    for (const TraceEvent& event : all)
      if (event.kind == kind) found.push_back(event.cycle);
    return found;
  }
  /// Addresses of requests.
  [[nodiscard]] Cycles addresses(TraceKind kind) const {
    Cycles found;
    for (const TraceEvent& event : all)
      if (event.kind == kind) found.push_back(event.a);
    return found;
  }
  [[nodiscard]] Cycles units(TraceKind kind) const {
    Cycles found;
    for (const TraceEvent& event : all)
      if (event.kind == kind) found.push_back(event.unit);
    return found;
  }
  std::vector<TraceEvent> all;
};

class Bench {
 public:
  explicit Bench(const std::vector<std::string>& overrides = {})
      : config(plain_config(overrides)), host(config), memories(host.memory(), memory.memory()) {
    std::vector<EngineConnection> connections;
    for (FakeEngine& engine : engines) {
      connections.push_back({engine, engine.port});
    }
    uncore = std::make_unique<Uncore>(config, memories.surroundings(), connections, &events);
    write(PPU_REGISTER_RING_BASE, host.ring());
    write(PPU_REGISTER_RING_ENTRIES, DeviceHost::kEntries);
  }

  void write(std::uint32_t offset, std::uint32_t value) { uncore->write_register(offset, value); }
  std::uint32_t read(std::uint32_t offset) { return uncore->read_register(offset, 0); }
  /// Runs in stretches of so many cycles at most.
  void finish(std::uint64_t stretch = 1'000'000) {
    while (uncore->busy()) uncore->run(uncore->cycle() + stretch);
  }
  void run_until(std::uint64_t cycle) {
    while (uncore->cycle() < cycle) uncore->run(cycle);
  }
  /// The doorbell of these commands is written in cycle 2, so the first one is fetched in cycle 3,
  /// arrives in 24 and may begin in 25.
  void ring(std::initializer_list<CommandWords> commands) {
    host.add(commands);
    write(PPU_REGISTER_RING_TAIL, host.tail());
  }
  [[nodiscard]] std::uint64_t counter(ppu_device_counter which) const {
    return uncore->counters()[which];
  }

  Config config;
  DeviceHost host;
  MappedMemory memory{std::size_t{1} << 20U};
  LocalMemories memories;
  std::array<FakeEngine, 2> engines;
  Events events;
  std::unique_ptr<Uncore> uncore;
};

inline constexpr std::uint64_t kFirst = 25;  ///< Begin of the first command.

}  // namespace ppu::hw::test
