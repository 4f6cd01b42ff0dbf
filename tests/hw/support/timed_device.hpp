// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The timed device without SystemC: lets engines and uncore go on in turn in a plain loop, as far
// as each may without the other. The SystemC device does the same by events, in the same cycles.
#pragma once

#include <utility>

#include "hw/timed/device_core.hpp"

namespace ppu::hw::test {

class TimedDevice final : public Device {
 public:
  /// `trace` may be null.
  TimedDevice(const Config& config, Memory host_memory, RowObservers observers = {},
              TraceSink* trace = nullptr)
      : core_(config, host_memory, std::move(observers), trace) {}

  void write_register(std::uint32_t offset, std::uint32_t value) override {
    while (advance_engines()) {
    }
    core_.uncore().write_register(offset, value);
  }
  [[nodiscard]] std::uint32_t read_register(std::uint32_t offset) override {
    return core_.read_register(offset);
  }
  bool step() override {
    constexpr std::uint64_t kCycles = 100'000;
    run_until(cycle() + kCycles);
    return core_.uncore().busy();
  }
  [[nodiscard]] bool interrupt() const override { return core_.uncore().interrupt(); }
  std::uint32_t copy_profile(std::uint32_t engine, std::uint32_t address) override {
    return core_.copy_profile(engine, address);
  }
  [[nodiscard]] std::string message() const override { return core_.message(); }

  /// The device cycle that comes next.
  [[nodiscard]] std::uint64_t cycle() const { return core_.uncore().cycle(); }
  /// Lets time pass up to cycle `end`, but stops when there is nothing to do and when the interrupt
  /// line rises.
  void run_until(std::uint64_t end) {
    const bool interrupted = interrupt();
    do {
      advance_engines();
      core_.uncore().run(end);
    } while (cycle() < end && core_.uncore().busy() && interrupt() == interrupted);
  }

 private:
  /// Engines go on that have to before the next cycle; false if there is none.
  bool advance_engines() {
    bool advanced = false;
    for (std::size_t n = 0; n < core_.engines(); ++n) {
      if (!core_.uncore().must_advance(n)) continue;
      core_.engine(n).advance();
      advanced = true;
    }
    return advanced;
  }

  DeviceCore core_;
};

}  // namespace ppu::hw::test
