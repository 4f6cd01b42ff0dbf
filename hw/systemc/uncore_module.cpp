// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/systemc/uncore_module.hpp"

#include <stdexcept>

namespace ppu::hw {
namespace {

/// Cycles of one activation.
constexpr std::uint64_t kStretch = 20'000;
constexpr std::uint64_t kPsPerUs = 1'000'000;

}  // namespace

UncoreModule::UncoreModule(sc_core::sc_module_name name, const Config& config, DeviceCore& core,
                           std::deque<EngineModule>& engines)
    : sc_module(name),
      core_(core),
      engines_(engines),
      period_(static_cast<double>(kPsPerUs / config.clock_mhz), sc_core::SC_PS) {
  SC_HAS_PROCESS(UncoreModule);
  SC_METHOD(work);
  sensitive << wake_;
  for (const EngineModule& engine : engines_) sensitive << engine.advanced();
  dont_initialize();
}

sc_core::sc_time UncoreModule::time_of_cycle() const {
  return sc_core::sc_time::from_value(period_.value() * core_.uncore().cycle());
}

void UncoreModule::wake_in_time() {
  wake_.notify(time_of_cycle() - sc_core::sc_time_stamp());
}

void UncoreModule::run(std::chrono::steady_clock::time_point end) {
  if (!core_.uncore().busy()) return;
  slice_end_ = end;
  wake_in_time();
  sc_core::sc_start();
}

void UncoreModule::write_register(std::uint32_t offset, std::uint32_t value) {
  write_ = {offset, value};
  wake_in_time();
  while (write_) sc_core::sc_start();
}

bool UncoreModule::ask_engines() {
  bool asked = false;
  for (std::size_t n = 0; n < engines_.size(); ++n) {
    if (!core_.uncore().must_advance(n)) continue;
    engines_[n].go();
    asked = true;
  }
  return asked;
}

void UncoreModule::work() {
  if (sc_core::sc_time_stamp() != time_of_cycle())
    throw std::logic_error("simulated time is not that of the device cycle");
  Uncore& uncore = core_.uncore();
  if (ask_engines()) return;
  if (write_) {
    uncore.write_register(write_->offset, write_->value);
    write_.reset();
    return sc_core::sc_pause();
  }
  const bool interrupted = uncore.interrupt();
  uncore.run(uncore.cycle() + kStretch);
  const bool pause =
      uncore.interrupt() != interrupted || std::chrono::steady_clock::now() >= slice_end_;
  if (pause) return sc_core::sc_pause();
  if (uncore.busy()) wake_in_time();
}

}  // namespace ppu::hw
