// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A platform with one device, its host and memories, and a monitor on every socket.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "hw/timed/timed_device.hpp"
#include "ppu/systemc.h"
#include "tests/hw/support/two_runs.hpp"
#include "tests/hw/systemc/bus_master.hpp"
#include "tests/hw/systemc/platform_memory.hpp"
#include "tests/hw/systemc/protocol_monitor.hpp"

namespace ppu::systemc::test {

struct Kind {
  std::string name;
  Settings settings;
  Manner manner;
  bool rtl = false;
  bool approximate_host = false;
};

inline void PrintTo(const Kind& kind, std::ostream* out) {
  *out << kind.name;
}

inline const std::vector<std::string>& small_memories() {
  static const std::vector<std::string> overrides = {"host_memory_mib=1", "device_memory_mib=1"};
  return overrides;
}

inline Settings small_settings(Coding coding = Coding::kLoose) {
  Settings settings;
  settings.config = "small";
  settings.overrides = small_memories();
  settings.coding = coding;
  return settings;
}

class TestPlatform {
 public:
  explicit TestPlatform(const Kind& kind, const std::string& name = "")
      : config(hw::resolve_config(kind.settings.config, kind.settings.overrides)),
        host(config),
        outside(std::size_t{config.device_memory_mib} << 20U),
        device(make(kind, "ppu" + name)),
        master(("master" + name).c_str()),
        memory(("memory" + name).c_str(), host.memory().data, host.memory().size_bytes,
               kind.manner),
        registers_monitor(("registers_monitor" + name).c_str()),
        host_monitor(("host_monitor" + name).c_str()),
        reset(("reset" + name).c_str(), true),
        irq(("irq" + name).c_str()) {
    master.approximate = kind.approximate_host;
    master.socket.bind(registers_monitor.target);
    registers_monitor.initiator.bind(device->registers);
    device->host.bind(host_monitor.target);
    host_monitor.initiator.bind(memory.socket);
    monitors = {&registers_monitor, &host_monitor};
    if (kind.settings.memory_outside) {
      device_memory = std::make_unique<PlatformMemory>(("device_memory" + name).c_str(),
                                                       outside.data(), outside.size(), kind.manner);
      memory_monitor = std::make_unique<ProtocolMonitor>(("memory_monitor" + name).c_str());
      device->memory.bind(memory_monitor->target);
      memory_monitor->initiator.bind(device_memory->socket);
      monitors.push_back(memory_monitor.get());
    }
    device->rst_ni.bind(reset);
    device->irq_o.bind(irq);
    master.irq_i.bind(irq);
  }

  /// Runs the simulation until the host has done this.
  void run(const std::function<void()>& program) {
    master.program = program;
    while (!master.done) sc_core::sc_start(1, sc_core::SC_MS);
    expect_protocol();
  }
  void expect_protocol() const {
    for (const ProtocolMonitor* monitor : monitors) {
      EXPECT_EQ(monitor->violations(), std::vector<std::string>{});
      EXPECT_EQ(monitor->under_way(), 0U);
    }
  }

  hw::Config config;
  hw::test::DeviceHost host;
  std::vector<std::byte> outside;
  std::unique_ptr<Device> device;
  BusMaster master;
  PlatformMemory memory;
  std::unique_ptr<PlatformMemory> device_memory;
  ProtocolMonitor registers_monitor, host_monitor;
  std::unique_ptr<ProtocolMonitor> memory_monitor;  ///< Null while that is inside.
  std::vector<const ProtocolMonitor*> monitors;
  sc_core::sc_signal<bool> reset, irq;

 private:
  static std::unique_ptr<Device> make(const Kind& kind, const std::string& name) {
    if (kind.rtl) return std::make_unique<PpuRtl>(name.c_str(), kind.settings);
    return std::make_unique<Ppu>(name.c_str(), kind.settings);
  }
};

/// Host memory after the work on the timed device.
inline std::vector<std::byte> expected_bytes(const hw::Config& config) {
  hw::test::DeviceHost host(config);
  hw::TimedDevice device(config, host.memory());
  return do_two_runs(device, host);
}

/// What the runs have computed.
inline std::vector<std::byte> state_of(const std::vector<std::byte>& bytes) {
  return {bytes.begin() + hw::test::kState,
          bytes.begin() + hw::test::kState + hw::test::kStateBytes};
}

}  // namespace ppu::systemc::test
