// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The timed engine: the firmware and the row arithmetic of the functional engine, with the cycle of
// every row from timestamps instead of clock ticks, as docs/inside/device.md says. It goes on in
// time on its own and stops only where it waits for device memory.
#pragma once

#include <cassert>
#include <cstdint>
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
      : surroundings_{config, index, device_memory, port, observer, trace},
        message_(message),
        words_(config.instruction_memory_words) {}
  TimedEngine(const TimedEngine&) = delete;
  TimedEngine& operator=(const TimedEngine&) = delete;

  void load_program(std::uint32_t address, const std::uint32_t* words,
                    std::uint32_t count) override;
  void start(std::uint64_t cycle, const RunCommand& command) override;
  void cancel(std::uint64_t cycle) override;
  void accept_write() override {
    assert(run_);
    run_->accept_write();
  }
  [[nodiscard]] const RunReport& report() const override {
    assert(run_);
    return run_->report();
  }
  void release() override;

  /// Goes on as far as the responses allow, but for some 100,000 rows at most. To be called when
  /// the cycle has come that the port names as its limit.
  void advance() {
    if (run_) run_->advance();
  }
  /// What to say beyond the report, else empty.
  [[nodiscard]] const std::string& message() const { return run_->message(); }
  /// Profile of the last run, a record per slot.
  [[nodiscard]] const std::vector<RowProfile>& profile() const { return profile_; }

 private:
  EngineSurroundings surroundings_;
  std::string* message_;
  std::vector<std::uint32_t> words_;  ///< Instruction memory.
  std::vector<RowProfile> profile_;   ///< Of the last run.
  std::optional<EngineRun> run_;      ///< From start() until release().
};

}  // namespace ppu::hw
