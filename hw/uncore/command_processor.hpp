// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The command processor: fetches commands from the rings and begins each where
// docs/inside/device.md says.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "hw/uncore/command_fetch.hpp"
#include "hw/uncore/dma.hpp"
#include "hw/uncore/host_writer.hpp"
#include "hw/uncore/register_block.hpp"

namespace ppu::hw {

class CommandProcessor final : public BeatMaster {
 public:
  /// Whom it gives commands to.
  struct Ports {
    RegisterBlock* registers = nullptr;
    CounterBlock* counters = nullptr;
    Dma* dma = nullptr;
    HostWriter* writer = nullptr;
    BeatSlave* memory = nullptr;
    std::vector<EngineLink*> engines;
  };
  /// What became of the command at the front in a cycle.
  enum class Work : std::uint8_t { kNone, kWaits, kBegun };

  /// `trace` may be null.
  CommandProcessor(const Config& config, TraceSink* trace) : checker_(config), trace_(trace) {}
  void connect(Ports ports) { ports_ = std::move(ports); }

  [[nodiscard]] bool idle() const { return fetch_.idle(ports_.registers->device()); }
  /// Commands taken from each ring.
  [[nodiscard]] CommandFetch::Heads heads() const {
    return fetch_.heads(ports_.registers->contexts());
  }

  // A cycle: what it asks for, what it begins, what arrives.
  void ask();
  Work work(std::uint64_t cycle);
  bool receive(std::uint64_t cycle);
  [[nodiscard]] std::uint64_t next_event() const {
    return answers_.empty() ? kNever : answers_.front().cycle;
  }

  // See BeatMaster.
  [[nodiscard]] bool requests(std::uint64_t) const override { return fetch_.requests(); }
  BeatRequest accept(std::uint64_t) override {
    return {fetch_.accept_read(ports_.registers->contexts())};
  }
  void answer(const BeatAnswer& answer) override { answers_.push_back(answer); }

  /// As after power-on.
  void reset() {
    fetch_ = {};
    answers_.clear();
  }

 private:
  [[nodiscard]] bool engines_idle() const;
  [[nodiscard]] bool can_begin(spec::CommandOpcode opcode) const;
  void begin(const CommandWords& command, std::uint64_t cycle);
  void begin_flip(const CommandWords& command);
  void begin_run(const CommandWords& command, std::uint64_t cycle);
  /// Of the command at the front, among those of its ring.
  [[nodiscard]] std::uint32_t number() const {
    return fetch_.head(fetch_.front_id(), ports_.registers->contexts());
  }
  void trace(TraceKind kind, std::uint64_t cycle, std::uint64_t b) const {
    if (trace_ != nullptr) trace_->on_event({cycle, kind, 0, number(), b});
  }

  CommandChecker checker_;
  TraceSink* trace_;
  Ports ports_;
  CommandFetch fetch_;
  std::deque<BeatAnswer> answers_;  ///< That will come.
};

}  // namespace ppu::hw
