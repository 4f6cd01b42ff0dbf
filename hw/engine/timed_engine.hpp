// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The timed engine: the firmware and the row arithmetic of the functional engine, with the cycle of
// every row from timestamps instead of clock ticks, as docs/inside/device.md says. It goes on in
// time on its own and stops only where it waits for device memory.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/contract/row_profile.hpp"
#include "hw/engine/engine_run.hpp"

namespace ppu::hw {

class TimedEngine final : public EngineUnit {
 public:
  /// `index` is its number in the device. `observer`, `trace` and `message` may be null; `message`
  /// takes what there is to say beyond a report (a lockstep difference) when that is acknowledged.
  TimedEngine(const Config& config, std::uint32_t index, Memory device_memory, EnginePort& port,
              RowObserver* observer, TraceSink* trace, std::string* message = nullptr)
      : TimedEngine({config, index, device_memory, port, observer, trace}, message, nullptr) {}
  /// Of parts that are elsewhere and outlive it.
  TimedEngine(const EngineSurroundings& surroundings, std::string* message,
              const EngineParts& parts)
      : TimedEngine(surroundings, message, &parts) {}
  TimedEngine(const TimedEngine&) = delete;
  TimedEngine& operator=(const TimedEngine&) = delete;

  void load_program(std::uint32_t address, const std::uint32_t* words,
                    std::uint32_t count) override;
  void flip(const CommandWords& command) override { flip(decode_flip(command)); }
  void flip(const MemoryFlip& flip) { flip_ = flip; }
  void start(std::uint64_t cycle, const RunCommand& command) override;
  /// Some 100,000 rows at most.
  void advance() override {
    if (run_) run_->advance();
  }
  void cancel(std::uint64_t cycle) override;
  std::uint64_t accept_write() override {
    assert(run_);
    return run_->accept_write();
  }
  [[nodiscard]] const RunReport& report() const override {
    assert(run_);
    return run_->report();
  }
  void release() override;
  /// Whatever it does is dropped; the instruction memory stays.
  void reset() {
    run_.reset();
    flip_ = {};
    surroundings_.port = {};
  }

  /// What to say beyond the report, else empty.
  [[nodiscard]] const std::string& message() const { return run_->message(); }
  /// Profile of the last run, a record per slot.
  [[nodiscard]] const std::vector<RowProfile>& profile() const { return profile_; }

 private:
  TimedEngine(const EngineSurroundings& surroundings, std::string* message,
              const EngineParts* parts)
      : surroundings_(surroundings),
        message_(message),
        own_(parts == nullptr ? std::make_unique<OwnEngineParts>(surroundings.config) : nullptr),
        parts_(parts == nullptr ? own_->all() : *parts),
        words_(surroundings.config.instruction_memory_words) {}

  EngineSurroundings surroundings_;
  std::string* message_;
  std::unique_ptr<OwnEngineParts> own_;  ///< Or null.
  EngineParts parts_;
  InstructionMemory words_;
  MemoryFlip flip_;                  ///< Until the next run has ended.
  std::vector<RowProfile> profile_;  ///< Of the last run.
  std::optional<EngineRun> run_;     ///< From start() until release().
};

}  // namespace ppu::hw
