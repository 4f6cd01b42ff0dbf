// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/timed/timed_device.hpp"

#include <chrono>

namespace ppu::hw {
namespace {

/// Host time of one step(), and cycles between two looks at the clock.
constexpr std::chrono::milliseconds kSlice{2};
constexpr std::uint64_t kSliceCycles = 20'000;

}  // namespace

bool TimedDevice::advance_engines() {
  bool advanced = false;
  for (std::size_t n = 0; n < core_.engines(); ++n) {
    if (!core_.uncore().must_advance(n)) continue;
    core_.advance(n);
    advanced = true;
  }
  return advanced;
}

void TimedDevice::write_register(std::uint32_t offset, std::uint32_t value) {
  while (advance_engines()) {
  }
  core_.uncore().write_register(offset, value);
}

bool TimedDevice::step() {
  const auto end = std::chrono::steady_clock::now() + kSlice;
  const bool interrupted = interrupt();
  do {
    advance_engines();
    core_.uncore().run(cycle() + kSliceCycles);
  } while (core_.uncore().busy() && interrupt() == interrupted &&
           std::chrono::steady_clock::now() < end);
  return core_.uncore().busy();
}

}  // namespace ppu::hw
