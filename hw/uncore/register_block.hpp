// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Registers and error queue as a block of the device: what is done to them in a cycle takes effect
// at its end.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "hw/contract/device_registers.hpp"
#include "hw/uncore/counter_block.hpp"
#include "hw/uncore/engine_link.hpp"

namespace ppu::hw {

class RegisterBlock {
 public:
  /// An error, and whose it is.
  struct ContextError {
    ContextId id;
    CommandError error;
  };
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
  void fail_run(const ContextError& error) { run_failed_ = error; }
  void fail_descriptor(const ContextError& error) { bad_descriptor_ = error; }
  void reject(const ContextError& error) { rejection_ = error; }
  /// A word of device memory, of nobody in particular: the last command of every context may have
  /// read it.
  void lose_word(const std::array<std::uint32_t, spec::kContexts>& heads, std::uint32_t word) {
    word_lost_ = {heads, word};
  }
  void raise_fence(ContextId id) { fence_ = id; }
  void begin_scrub(ContextId id) { registers_.contexts().begin_scrub(id); }
  void end_scrub(ContextId id) { scrubbed_ = id; }
  /// The command `reset` begins.
  void clear() { clear_ = true; }
  /// The cycle ends; true if anything changes that the device goes on with.
  bool end_cycle(std::uint64_t cycle);

  /// Of several in a cycle that of the highest engine counts.
  void show_progress(const Progress& progress, ContextId id) {
    Progress& shown = progress_[id];
    const bool later = progress.cycle > shown.cycle ||
                       (progress.cycle == shown.cycle && progress.engine >= shown.engine);
    if (later && registers_.contexts()[id].open) shown = progress;
  }

  /// `heads`: commands taken from each ring.
  [[nodiscard]] std::uint32_t read(std::uint32_t offset, bool busy,
                                   const std::array<std::uint32_t, spec::kContexts>& heads,
                                   std::uint32_t lockstep_rows) const {
    DeviceView view{busy, heads, {}, lockstep_rows};
    for (ContextId id = 0; id < spec::kContexts; ++id) view.progress[id] = progress_[id].value;
    return registers_.read(offset, view);
  }
  [[nodiscard]] std::uint32_t interrupts() const { return registers_.interrupts(); }
  [[nodiscard]] const DeviceRegisters& device() const { return registers_; }
  [[nodiscard]] const ContextTable& contexts() const { return registers_.contexts(); }

  /// As after power-on.
  void reset();

 private:
  struct Write {
    std::uint32_t offset, value;
  };
  struct LostWord {
    std::array<std::uint32_t, spec::kContexts> heads;
    std::uint32_t word;
  };
  /// Returns the context that it opens.
  std::optional<ContextId> carry_out_write(std::uint64_t cycle);
  Config config_;
  DeviceRegisters registers_;
  CounterBlock* counters_ = nullptr;
  std::vector<EngineLink*> engines_;
  std::array<Progress, spec::kContexts> progress_{};
  std::optional<Write> write_;
  std::optional<ContextError> run_failed_, bad_descriptor_, rejection_;
  std::optional<LostWord> word_lost_;
  std::optional<ContextId> fence_;     ///< Whose fence asks for an interrupt.
  std::optional<ContextId> scrubbed_;  ///< Whose scrub ends.
  bool clear_ = false;
};

}  // namespace ppu::hw
