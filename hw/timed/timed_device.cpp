// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/timed/timed_device.hpp"

#include <cstring>
#include <utility>

namespace ppu::hw {

TimedDevice::TimedDevice(const Config& config, Memory host_memory, RowObservers observers,
                         TraceSink* trace)
    : host_(host_memory),
      memories_(config, host_memory),
      observers_(std::move(observers)),
      uncore_(config, memories_.all.surroundings(), make_engines(config, trace), trace) {
}

std::vector<EngineConnection> TimedDevice::make_engines(const Config& config, TraceSink* trace) {
  observers_.resize(config.engines);
  std::vector<EngineConnection> connections;
  for (std::uint32_t n = 0; n < config.engines; ++n) {
    Engine& engine = engines_.emplace_back(config, n, memories_.memory.memory(),
                                           observers_[n].get(), trace, &message_);
    connections.push_back({engine.engine, engine.port});
  }
  return connections;
}

std::uint32_t TimedDevice::read_register(std::uint32_t offset) {
  std::uint64_t rows_checked = 0;
  for (const std::unique_ptr<RowObserver>& observer : observers_)
    if (observer != nullptr) rows_checked += observer->rows_checked();
  return uncore_.read_register(offset, static_cast<std::uint32_t>(rows_checked));
}

std::uint32_t TimedDevice::copy_profile(std::uint32_t engine, std::uint32_t address) {
  if (engine >= engines_.size()) return 0;
  const std::vector<RowProfile>& profile = engines_[engine].engine.profile();
  const std::size_t bytes = profile.size() * sizeof(RowProfile);
  if (bytes == 0 || address + bytes > host_.size_bytes) return 0;
  std::memcpy(host_.data + address, profile.data(), bytes);
  return static_cast<std::uint32_t>(profile.size());
}

void TimedDevice::reset() {
  for (Engine& engine : engines_) engine.engine.reset();
  message_.clear();
  uncore_.reset();
}

}  // namespace ppu::hw
