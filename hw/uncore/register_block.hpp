// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Registers and error queue as a block of the device: what is done to them in a cycle takes effect
// at its end.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hw/contract/device_registers.hpp"
#include "hw/uncore/counter_block.hpp"
#include "hw/uncore/engine_link.hpp"

namespace ppu::hw {

class RegisterBlock {
 public:
  /// What a program signals; visible from `cycle` on.
  struct Progress {
    std::uint64_t cycle = 0;
    std::uint32_t engine = 0;
    std::uint32_t value = 0;
  };

  explicit RegisterBlock(const Config& config) : config_(config), registers_(config) {}

  /// `engines` are those that the host cancels.
  void connect(CounterBlock& counters, std::vector<EngineLink*> engines) {
    counters_ = &counters;
    engines_ = std::move(engines);
  }

  // In this cycle.
  void write(std::uint32_t offset, std::uint32_t value) { write_ = {offset, value}; }
  void fail_run(const CommandError& error) { run_failed_ = error; }
  void fail_descriptor(const CommandError& error) { bad_descriptor_ = error; }
  void reject(const CommandError& error) { rejection_ = error; }
  void lose_word(const CommandError& error) { word_lost_ = error; }
  void raise_fence() { fence_ = true; }
  /// The command `reset` begins.
  void clear() { clear_ = true; }
  /// The cycle ends; true if anything changes that the device goes on with.
  bool end_cycle(std::uint64_t cycle);

  /// Of several in a cycle that of the highest engine counts.
  void show_progress(const Progress& progress) {
    const bool later = progress.cycle > progress_.cycle ||
                       (progress.cycle == progress_.cycle && progress.engine >= progress_.engine);
    if (later) progress_ = progress;
  }

  [[nodiscard]] std::uint32_t read(std::uint32_t offset, bool busy, std::uint32_t ring_head,
                                   std::uint32_t lockstep_rows) const {
    return registers_.read(offset, {busy, ring_head, progress_.value, lockstep_rows});
  }
  [[nodiscard]] bool interrupt() const { return registers_.interrupt(); }
  [[nodiscard]] std::uint32_t ring_tail() const { return registers_.ring_tail(); }
  [[nodiscard]] std::uint32_t command_address(std::uint32_t number) const {
    return registers_.command_address(number);
  }

  /// As after power-on.
  void reset();

 private:
  struct Write {
    std::uint32_t offset, value;
  };
  Config config_;
  DeviceRegisters registers_;
  CounterBlock* counters_ = nullptr;
  std::vector<EngineLink*> engines_;
  Progress progress_;
  std::optional<Write> write_;
  std::optional<CommandError> run_failed_, bad_descriptor_, rejection_, word_lost_;
  bool fence_ = false, clear_ = false;
};

}  // namespace ppu::hw
