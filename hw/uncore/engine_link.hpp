// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// How an engine is attached to the rest of the device: runs, its beats of device memory, its
// report, and what the program signals. The engine goes on in time on its own, see EnginePort.
#pragma once

#include <algorithm>
#include <cstdint>

#include "hw/contract/engine_port.hpp"
#include "hw/uncore/beats.hpp"

namespace ppu::hw {

class RegisterBlock;

class EngineLink final : public BeatMaster {
 public:
  /// The port outlives it. What the engine reads of device memory is put into `device_memory`, what
  /// it writes is there.
  EngineLink(EnginePort& port, Memory device_memory, std::uint32_t index)
      : port_(port), device_memory_(device_memory), index_(index) {}

  /// `memory` is peeked at when a run begins.
  void connect(EngineUnit& unit, BeatSlave& memory, RegisterBlock& registers) {
    unit_ = &unit;
    memory_ = &memory;
    registers_ = &registers;
  }

  /// Nothing is under way, and no report waits.
  [[nodiscard]] bool idle() const { return !busy_; }
  [[nodiscard]] std::uint32_t index() const { return index_; }
  void load_program(std::uint32_t address, const std::uint32_t* words, std::uint32_t count) {
    unit_->load_program(address, words, count);
  }
  void flip(const CommandWords& command) { unit_->flip(command); }
  /// A run begins in `cycle`; the engine is idle.
  void start(std::uint64_t cycle, const RunCommand& command, std::uint32_t report_address,
             ContextId context);
  /// Ends the run, if there is one of this context.
  void cancel(std::uint64_t cycle, ContextId context) {
    if (busy_ && context == context_) unit_->cancel(cycle);
  }
  /// Ends a run that has spent its quota in `cycle`; true if it has.
  bool spend(std::uint64_t cycle) {
    if (!busy_ || cycle != spent_cycle_) return false;
    unit_->cancel(cycle);
    return true;
  }
  /// The run has spent its quota before `cycle`.
  [[nodiscard]] bool is_spent(std::uint64_t cycle) const { return spent_cycle_ < cycle; }
  /// Whose run it is, or was last.
  [[nodiscard]] ContextId context() const { return context_; }
  /// Rows of a chained run have to be copied.
  [[nodiscard]] bool waits_for_copies() const {
    const bool gated = !port_.requests.empty() && port_.stands_from() == kNever;
    return busy_ && (gated || port_.written.size() < port_.awaited_written);
  }
  /// The report is complete in `cycle`, until it is released.
  [[nodiscard]] bool done(std::uint64_t cycle) const { return busy_ && port_.done_cycle <= cycle; }
  [[nodiscard]] const RunReport& report() const { return unit_->report(); }
  [[nodiscard]] std::uint32_t report_address() const { return report_address_; }
  /// The report was written in `cycle`: idle again.
  void release(std::uint64_t cycle);

  /// The engine goes on as far as it has to before `cycle` can be stepped.
  void advance(std::uint64_t cycle) {
    while (limit() <= cycle) unit_->advance();
    port_.capture(cycle);
  }
  /// The first cycle that must not be stepped before the engine goes on.
  [[nodiscard]] std::uint64_t limit() const { return busy_ ? port_.limit() : kNever; }
  /// The next cycle after `now` in which it asks for a beat, is done, or has to go on.
  [[nodiscard]] std::uint64_t next_event(std::uint64_t now) const;
  /// Shows the signals of the cycles before `cycle`.
  void show_signals(std::uint64_t cycle);

  /// A copy writes a beat of device memory in `cycle`.
  void write(std::uint64_t cycle, std::uint32_t address, const Beat& data);

  // See BeatMaster.
  [[nodiscard]] bool requests(std::uint64_t cycle) const override {
    return port_.stands_from() <= cycle;
  }
  BeatRequest accept(std::uint64_t cycle) override;
  void answer(const BeatAnswer& answer) override;

  /// As after power-on; the engine is reset by its owner.
  void reset() {
    busy_ = false;
    context_ = 0;
    spent_cycle_ = kNever;
  }

 private:
  /// One of the beats of an answer.
  void take(const BeatAnswer& answer, std::uint32_t address, const Beat& data);

  EngineUnit* unit_ = nullptr;
  EnginePort& port_;
  Memory device_memory_;
  std::uint32_t index_;
  BeatSlave* memory_ = nullptr;
  RegisterBlock* registers_ = nullptr;
  bool busy_ = false;
  ContextId context_ = 0;
  std::uint64_t spent_cycle_ = kNever;  ///< In which the run spends its quota.
  std::uint32_t report_address_ = 0;
};

}  // namespace ppu::hw
