// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The model as a module.
#include "hw/cosim/lockstep.hpp"
#include "hw/systemc/device_impl.hpp"
#include "hw/timed/timed_device.hpp"

namespace ppu::systemc {
namespace {

/// RTL row pipes in lockstep, for each engine.
hw::RowObservers make_row_pipes(const hw::Config& config) {
  hw::RowObservers checkers;
  for (std::uint32_t engine = 0; engine < config.engines; ++engine) {
    std::vector<std::unique_ptr<hw::RtlRowPipe>> pipes;
    for (std::uint32_t pipe = 0; pipe < config.pipes; ++pipe)
      pipes.push_back(hw::RtlRowPipe::create(config));
    checkers.push_back(std::make_unique<hw::LockstepChecker>(std::move(pipes)));
  }
  return checkers;
}

}  // namespace

Ppu::Ppu(const sc_core::sc_module_name& name, const Settings& settings) : Device(name) {
  impl_ = std::make_unique<Impl>(
      *this, settings, [&settings](const hw::Config& config, const hw::Surroundings& surroundings) {
        return std::make_unique<hw::TimedDevice>(
            config, surroundings,
            settings.rtl_row_pipes ? make_row_pipes(config) : hw::RowObservers{});
      });
}

}  // namespace ppu::systemc
