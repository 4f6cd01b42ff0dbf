// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/systemc/systemc_device.hpp"

#include <utility>

namespace ppu::hw {
namespace {

/// Host time of one step().
constexpr std::chrono::milliseconds kSlice{2};

}  // namespace

SystemcDevice::SystemcDevice(const Config& config, Memory host_memory, RowObservers observers,
                             TraceSink* trace)
    : core_(config, host_memory, std::move(observers), trace) {
  for (std::size_t n = 0; n < core_.engines(); ++n)
    engines_.emplace_back(("engine" + std::to_string(n)).c_str(), core_, n);
  uncore_ = std::make_unique<UncoreModule>("uncore", config, core_, engines_);
}

bool SystemcDevice::step() {
  uncore_->run(std::chrono::steady_clock::now() + kSlice);
  return core_.uncore().busy();
}

}  // namespace ppu::hw
