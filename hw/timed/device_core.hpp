// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The parts of a timed device: device memory, engines, uncore.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "hw/contract/mapped_memory.hpp"
#include "hw/engine/timed_engine.hpp"
#include "hw/uncore/uncore.hpp"

namespace ppu::hw {

class DeviceCore {
 public:
  /// `trace` may be null.
  DeviceCore(const Config& config, Memory host_memory, RowObservers observers, TraceSink* trace);
  /// Among memories of somebody else; row profiles are copied to `profiles`, if anywhere.
  DeviceCore(const Config& config, const Surroundings& surroundings, RowObservers observers,
             TraceSink* trace, Memory profiles);

  [[nodiscard]] Uncore& uncore() { return *uncore_; }
  [[nodiscard]] const Uncore& uncore() const { return *uncore_; }

  // See Device.
  [[nodiscard]] std::uint32_t read_register(std::uint32_t offset) const;
  std::uint32_t copy_profile(std::uint32_t engine, std::uint32_t address);
  /// As after power-on, but for device memory and instruction memory.
  void reset();
  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  struct Engine {
    Engine(const Config& config, std::uint32_t index, Memory device_memory, RowObserver* observer,
           TraceSink* trace, std::string* message)
        : engine(config, index, device_memory, port, observer, trace, message) {}

    EnginePort port;
    TimedEngine engine;
  };

  void assemble();

  Config config_;
  Memory host_;
  std::unique_ptr<OwnMemories> own_;  ///< Or null.
  Surroundings surroundings_;
  TraceSink* trace_;
  RowObservers observers_;
  std::string message_;  ///< Of the last mismatch.
  std::deque<Engine> engines_;
  std::unique_ptr<Uncore> uncore_;
};

}  // namespace ppu::hw
