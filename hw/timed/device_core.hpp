// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The parts of a timed device: device memory, engines, uncore. Who owns a core lets time pass for
// it: TimedDevice in a plain loop, the SystemC modules by their events.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "hw/contract/mapped_memory.hpp"
#include "hw/engine/timed_engine.hpp"
#include "hw/uncore/uncore.hpp"

namespace ppu::hw {

/// One for each engine, or none at all.
using RowObservers = std::vector<std::unique_ptr<RowObserver>>;

class DeviceCore {
 public:
  /// `trace` may be null.
  DeviceCore(const Config& config, Memory host_memory, RowObservers observers, TraceSink* trace);

  [[nodiscard]] Uncore& uncore() { return *uncore_; }
  [[nodiscard]] const Uncore& uncore() const { return *uncore_; }
  [[nodiscard]] std::size_t engines() const { return engines_.size(); }
  /// The engine goes on as far as it can.
  void advance(std::size_t engine) { engines_[engine].advance(); }

  // See Device.
  [[nodiscard]] std::uint32_t read_register(std::uint32_t offset) const;
  std::uint32_t copy_profile(std::uint32_t engine, std::uint32_t address);
  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  class Engine final : public EngineUnit {
   public:
    Engine(const Config& config, std::uint32_t index, Memory device_memory, RowObserver* observer,
           TraceSink* trace, std::string& message)
        : engine_(config, index, device_memory, port_, observer, trace), message_(message) {}

    void load_program(std::uint32_t address, const std::uint32_t* words,
                      std::uint32_t count) override {
      engine_.load_program(address, words, count);
    }
    void start(std::uint64_t cycle, const RunCommand& command) override {
      engine_.start(cycle, command);
    }
    void cancel(std::uint64_t cycle) override { engine_.cancel(cycle); }
    void accept_write() override { engine_.accept_write(); }
    [[nodiscard]] const RunReport& report() const override { return engine_.report(); }
    void release() override;

    void advance() { engine_.advance(); }
    [[nodiscard]] EnginePort& port() { return port_; }
    [[nodiscard]] const std::vector<RowProfile>& profile() const { return engine_.profile(); }

   private:
    EnginePort port_;
    TimedEngine engine_;
    std::string& message_;
  };

  Memory host_;
  MappedMemory memory_;
  RowObservers observers_;
  std::string message_;  ///< Of the last mismatch.
  std::deque<Engine> engines_;
  std::unique_ptr<Uncore> uncore_;
};

}  // namespace ppu::hw
