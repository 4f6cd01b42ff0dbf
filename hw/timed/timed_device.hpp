// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The timed device without SystemC: lets engines and uncore go on in turn in a plain loop, as far
// as each may without the other.
#pragma once

#include <utility>

#include "hw/contract/clocked_device.hpp"
#include "hw/timed/device_core.hpp"

namespace ppu::hw {

class TimedDevice final : public ClockedDevice {
 public:
  /// `trace` may be null.
  TimedDevice(const Config& config, Memory host_memory, RowObservers observers = {},
              TraceSink* trace = nullptr)
      : core_(config, host_memory, std::move(observers), trace) {}
  /// `profiles`: the memory that copy_profile() copies to; may be empty.
  TimedDevice(const Config& config, const Surroundings& surroundings, RowObservers observers = {},
              TraceSink* trace = nullptr, Memory profiles = {})
      : core_(config, surroundings, std::move(observers), trace, profiles) {}

  void write_register(std::uint32_t offset, std::uint32_t value) override {
    while (advance_engines()) {
    }
    core_.uncore().write_register(offset, value);
  }
  [[nodiscard]] std::uint32_t read_register(std::uint32_t offset) override {
    return core_.read_register(offset);
  }
  [[nodiscard]] bool interrupt() const override { return core_.uncore().interrupt(); }
  std::uint32_t copy_profile(std::uint32_t engine, std::uint32_t address) override {
    return core_.copy_profile(engine, address);
  }
  [[nodiscard]] std::string message() const override { return core_.message(); }

  [[nodiscard]] std::uint64_t cycle() const override { return core_.uncore().cycle(); }
  [[nodiscard]] bool busy() const override { return core_.uncore().busy(); }
  void run_until(std::uint64_t end) override {
    const bool interrupted = interrupt();
    stopped_ = false;
    do {
      advance_engines();
      core_.uncore().run(end);
    } while (cycle() < end && busy() && interrupt() == interrupted && !stopped_);
  }
  void stop() override {
    stopped_ = true;
    core_.uncore().stop();
  }
  [[nodiscard]] std::uint64_t next_change() const override { return core_.uncore().next_change(); }
  void reset() override { core_.reset(); }

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
  bool stopped_ = false;  ///< See stop().
};

}  // namespace ppu::hw
