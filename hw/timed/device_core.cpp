// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/timed/device_core.hpp"

#include <cstring>
#include <utility>

namespace ppu::hw {

DeviceCore::DeviceCore(const Config& config, Memory host_memory, RowObservers observers,
                       TraceSink* trace)
    : config_(config),
      host_(host_memory),
      own_(std::make_unique<OwnMemories>(config, host_memory)),
      surroundings_(own_->all.surroundings()),
      trace_(trace),
      observers_(std::move(observers)) {
  assemble();
}

DeviceCore::DeviceCore(const Config& config, const Surroundings& surroundings,
                       RowObservers observers, TraceSink* trace, Memory profiles)
    : config_(config),
      host_(profiles),
      surroundings_(surroundings),
      trace_(trace),
      observers_(std::move(observers)) {
  assemble();
}

void DeviceCore::assemble() {
  observers_.resize(config_.engines);
  for (std::uint32_t n = 0; n < config_.engines; ++n)
    engines_.emplace_back(config_, n, surroundings_.device_memory, observers_[n].get(), trace_,
                          &message_);
  std::vector<EngineConnection> connections;
  for (Engine& engine : engines_) connections.push_back({engine.engine, engine.port});
  uncore_ = std::make_unique<Uncore>(config_, surroundings_, connections, trace_);
}

void DeviceCore::reset() {
  for (Engine& engine : engines_) engine.engine.reset();
  message_.clear();
  uncore_->reset();
}

std::uint32_t DeviceCore::read_register(std::uint32_t offset) const {
  std::uint64_t rows_checked = 0;
  for (const std::unique_ptr<RowObserver>& observer : observers_)
    if (observer != nullptr) rows_checked += observer->rows_checked();
  return uncore_->read_register(offset, static_cast<std::uint32_t>(rows_checked));
}

std::uint32_t DeviceCore::copy_profile(std::uint32_t engine, std::uint32_t address) {
  if (engine >= engines_.size()) return 0;
  const std::vector<RowProfile>& profile = engines_[engine].engine.profile();
  const std::size_t bytes = profile.size() * sizeof(RowProfile);
  if (bytes == 0 || address + bytes > host_.size_bytes) return 0;
  std::memcpy(host_.data + address, profile.data(), bytes);
  return static_cast<std::uint32_t>(profile.size());
}

}  // namespace ppu::hw
