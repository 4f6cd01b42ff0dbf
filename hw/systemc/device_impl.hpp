// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What is inside a device module: a device with cycles, model or RTL, that a thread lets go on in
// simulated time, ahead of it by up to a quantum; and its sockets.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <systemc>
#include <utility>

#include "hw/contract/clocked_device.hpp"
#include "hw/systemc/beat_socket.hpp"
#include "hw/systemc/device_clock.hpp"
#include "hw/systemc/register_socket.hpp"
#include "ppu/systemc.h"

namespace ppu::systemc {

/// Makes what is inside.
using MakeDevice = std::function<std::unique_ptr<hw::ClockedDevice>(
    const sc_core::sc_object& module, const hw::Config& config, const hw::Surroundings&)>;

class Device::Impl final : public Registers {
 public:
  Impl(Device& module, const Settings& settings, const MakeDevice& make);

  // See Registers.
  [[nodiscard]] bool in_reset() const override { return !module_.rst_ni.read(); }
  sc_core::sc_time write(std::uint32_t offset, std::uint32_t value) override;
  sc_core::sc_time read(std::uint32_t offset, std::uint32_t* value) override;
  [[nodiscard]] std::uint32_t peek(std::uint32_t offset) override {
    return device_->read_register(offset);
  }

  void check_sockets() const;
  [[nodiscard]] const hw::Config& config() const { return config_; }
  [[nodiscard]] const DeviceClock& clock() const { return clock_; }
  [[nodiscard]] const hw::ClockedDevice& device() const { return *device_; }

 private:
  /// The thread.
  void live();
  void take_turn();
  /// Resets the device if a reset has begun, however short, since it was last had.
  void take_reset();
  /// Lets the device go on, as far as it may.
  void go_on();
  void follow_answers();
  /// Has the device to itself, which somebody else may have in the midst of a cycle.
  class Turn;
  void run_until(std::uint64_t cycle);
  /// The interrupt line has changed, or not.
  void show_interrupt();
  void drive_interrupt();
  [[nodiscard]] bool waits_for_answers() const { return host_.waits() || memory_.waits(); }
  [[nodiscard]] std::uint64_t quantum_cycles() const;

  Device& module_;
  Settings settings_;
  hw::Config config_;
  DeviceClock clock_;
  sc_core::sc_event answered_{"answered"}, work_{"work"}, free_{"turn"}, line_{"line"};
  BeatSocket host_, memory_;
  hw::MappedMemory shadow_;  ///< Device memory, or what the device knows of it.
  hw::LocalMemory inside_;
  std::unique_ptr<hw::ClockedDevice> device_;
  bool taken_ = false;                                     ///< Somebody has the device.
  bool reset_asked_ = true;                                ///< See take_reset().
  bool interrupt_ = false;                                 ///< As it was shown last.
  std::deque<std::pair<std::uint64_t, bool>> interrupts_;  ///< To be shown: from when on, what.
  RegisterSocket registers_;
};

/// A module around whatever device.
class AnyDevice : public Device {
 public:
  AnyDevice(const sc_core::sc_module_name& name, const Settings& settings, const MakeDevice& make)
      : Device(name) {
    impl_ = std::make_unique<Impl>(*this, settings, make);
  }
};

}  // namespace ppu::systemc
