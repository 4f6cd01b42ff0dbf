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

UncoreModule::UncoreModule(sc_core::sc_module_name name, const Config& config, Uncore& uncore,
                           std::deque<EngineModule>& engines)
    : sc_module(name),
      uncore_(uncore),
      engines_(engines),
      period_(static_cast<double>(kPsPerUs / config.clock_mhz), sc_core::SC_PS) {
  SC_HAS_PROCESS(UncoreModule);
  SC_METHOD(work);
  sensitive << wake_;
  for (const EngineModule& engine : engines_) sensitive << engine.advanced();
  dont_initialize();
}

sc_core::sc_time UncoreModule::time_of_cycle() const {
  return sc_core::sc_time::from_value(period_.value() * uncore_.cycle());
}

void UncoreModule::wake_in_time() {
  wake_.notify(time_of_cycle() - sc_core::sc_time_stamp());
}

void UncoreModule::run(std::chrono::steady_clock::time_point end) {
  if (!uncore_.busy()) return;
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
    if (!uncore_.must_advance(n)) continue;
    engines_[n].go();
    asked = true;
  }
  return asked;
}

void UncoreModule::work() {
  if (sc_core::sc_time_stamp() != time_of_cycle())
    throw std::logic_error("simulated time is not that of the device cycle");
  if (ask_engines()) return;
  if (write_) {
    uncore_.write_register(write_->offset, write_->value);
    write_.reset();
    return sc_core::sc_pause();
  }
  const bool interrupted = uncore_.interrupt();
  uncore_.run(uncore_.cycle() + kStretch);
  const bool pause =
      uncore_.interrupt() != interrupted || std::chrono::steady_clock::now() >= slice_end_;
  if (pause) return sc_core::sc_pause();
  if (uncore_.busy()) wake_in_time();
}

}  // namespace ppu::hw
