// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The timed engine: the firmware and the row arithmetic of the functional engine, with the cycle of
// every row from timestamps instead of clock ticks, as docs/inside/device.md says. It runs ahead in
// time and stops only where it waits for device memory.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "hw/contract/device.hpp"
#include "hw/contract/engine_port.hpp"
#include "hw/contract/row_observer.hpp"
#include "hw/contract/row_profile.hpp"
#include "hw/contract/run.hpp"
#include "hw/contract/trace.hpp"

namespace ppu::hw {

class TimedEngine {
 public:
  /// `index` is its number in the device. `observer` and `trace` may be null.
  TimedEngine(const Config& config, std::uint32_t index, Memory device_memory, EnginePort& port,
              RowObserver* observer, TraceSink* trace);
  ~TimedEngine();
  TimedEngine(const TimedEngine&) = delete;
  TimedEngine& operator=(const TimedEngine&) = delete;

  /// Writes words of instruction memory; the engine is idle.
  void load_program(std::uint32_t address, const std::uint32_t* words, std::uint32_t count);
  /// A run is begun in `cycle` (t0); the engine is idle.
  void start(std::uint64_t cycle, const RunCommand& command);
  /// Goes on as far as the responses allow, but for some 100,000 rows at most. To be called when
  /// the cycle has come that the port names as its limit.
  void advance();
  /// True from start() until release().
  [[nodiscard]] bool busy() const;
  /// The report, once the port has its done cycle.
  [[nodiscard]] const RunReport& report() const;
  /// What to say beyond the report (a lockstep difference), else empty.
  [[nodiscard]] const std::string& message() const;
  /// Profile of the last run, a record per slot.
  [[nodiscard]] const std::vector<RowProfile>& profile() const;
  /// The report was acknowledged: idle again.
  void release();
  /// Ends the run if `cycle` is not after its end; what is on its way still comes.
  void cancel(std::uint64_t cycle);
  /// The next beat that it stores was accepted: its bytes are in device memory.
  void accept_write();

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace ppu::hw
