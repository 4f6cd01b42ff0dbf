// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The timed device without SystemC: its engines, its uncore, memories of this process.
#pragma once

#include <deque>
#include <string>

#include "hw/contract/clocked_device.hpp"
#include "hw/engine/timed_engine.hpp"
#include "hw/uncore/uncore.hpp"

namespace ppu::hw {

class TimedDevice final : public ClockedDevice {
 public:
  /// `trace` may be null.
  TimedDevice(const Config& config, Memory host_memory, RowObservers observers = {},
              TraceSink* trace = nullptr);

  // See ClockedDevice.
  void write_register(std::uint32_t offset, std::uint32_t value) override {
    uncore_.write_register(offset, value);
  }
  [[nodiscard]] std::uint32_t read_register(std::uint32_t offset) override;
  [[nodiscard]] std::uint32_t interrupts() const override { return uncore_.interrupts(); }
  std::uint32_t copy_profile(std::uint32_t engine, std::uint32_t address) override;
  [[nodiscard]] std::string message() const override { return message_; }
  [[nodiscard]] std::uint64_t cycle() const override { return uncore_.cycle(); }
  [[nodiscard]] bool busy() const override { return uncore_.busy(); }
  void run_until(std::uint64_t end) override { uncore_.run(end); }
  void stop() override { uncore_.stop(); }
  [[nodiscard]] std::uint64_t next_change() const override { return uncore_.next_change(); }
  void reset() override;

 private:
  struct Engine {
    Engine(const Config& config, std::uint32_t index, Memory device_memory, RowObserver* observer,
           TraceSink* trace, std::string* message)
        : engine(config, index, device_memory, port, observer, trace, message) {}

    EnginePort port;
    TimedEngine engine;
  };
  /// All of them, connected to what they see.
  std::vector<EngineConnection> make_engines(const Config& config, TraceSink* trace);

  Memory host_;
  OwnMemories memories_;
  RowObservers observers_;
  std::string message_;  ///< Of the last mismatch.
  std::deque<Engine> engines_;
  Uncore uncore_;
};

}  // namespace ppu::hw
