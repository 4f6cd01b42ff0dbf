// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The model of the device as modules, children of the module of the device: the names, and who is
// connected to whom, are those of rtl/device/ppu_top.sv. They go through the cycles of the device
// together, ahead of simulated time (u_cycle); who is outside sees each in its time.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "hw/contract/clocked_device.hpp"
#include "hw/systemc/blocks.hpp"
#include "hw/systemc/engine_module.hpp"

namespace ppu::systemc {

class Model final : public hw::ClockedDevice {
 public:
  struct Options {
    /// Instances that are RTL, see RtlChoice.
    std::vector<std::string> rtl;
    /// See all rows in place of row pipes.
    hw::RowObservers observers;
    hw::TraceSink* trace = nullptr;
    /// Where row profiles are copied to, if anywhere.
    hw::Memory profiles;
  };
  /// To be made in the constructor of the module `device`. Throws ConfigError.
  Model(const sc_core::sc_object& device, const hw::Config& config,
        const hw::Surroundings& surroundings, Options options);

  // See hw::ClockedDevice.
  void write_register(std::uint32_t offset, std::uint32_t value) override {
    u_cycle.block.write_register(offset, value);
  }
  [[nodiscard]] std::uint32_t read_register(std::uint32_t offset) override;
  [[nodiscard]] std::uint32_t interrupts() const override { return u_cycle.block.interrupts(); }
  [[nodiscard]] std::uint64_t cycle() const override { return u_cycle.block.cycle(); }
  [[nodiscard]] bool busy() const override { return u_cycle.block.busy(); }
  void run_until(std::uint64_t end) override { u_cycle.block.run(end); }
  void stop() override { u_cycle.block.stop(); }
  [[nodiscard]] std::uint64_t next_change() const override { return u_cycle.block.next_change(); }
  void reset() override;
  std::uint32_t copy_profile(std::uint32_t engine, std::uint32_t address) override;
  [[nodiscard]] std::string message() const override { return message_; }

 private:
  void bind(EngineScope& scope);
  void bind_all();

  hw::Config config_;
  Options options_;
  std::string message_;  ///< Of the last mismatch.

  RegisterModule u_registers;
  CommandProcessor u_commands;
  Dma u_dma;
  std::deque<EngineScope> gen_engine;
  Port u_arbiter;
  Writer u_writer;
  Port u_host_read, u_host_write;
  DeviceCounters u_counters{"u_counters"};
  Cycle u_cycle{"u_cycle"};
  // What is around ppu_top.
  Dram u_dram;
  HostLink u_link;
};

}  // namespace ppu::systemc
