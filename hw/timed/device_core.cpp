// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/timed/device_core.hpp"

#include <cstring>
#include <utility>

namespace ppu::hw {

DeviceCore::DeviceCore(const Config& config, Memory host_memory, RowObservers observers,
                       TraceSink* trace)
    : host_(host_memory),
      memory_(std::size_t{config.device_memory_mib} << 20U),
      observers_(std::move(observers)) {
  observers_.resize(config.engines);
  std::vector<EngineConnection> connections;
  for (std::uint32_t n = 0; n < config.engines; ++n) {
    Engine& engine =
        engines_.emplace_back(config, n, memory_.memory(), observers_[n].get(), trace, message_);
    connections.push_back({engine, engine.port()});
  }
  uncore_ = std::make_unique<Uncore>(config, host_memory, memory_.memory(), connections, trace);
}

void DeviceCore::Engine::release() {
  if (engine_.report().status == PPU_RUN_MISMATCH) message_ = engine_.message();
  engine_.release();
}

std::uint32_t DeviceCore::read_register(std::uint32_t offset) const {
  std::uint64_t rows_checked = 0;
  for (const std::unique_ptr<RowObserver>& observer : observers_)
    if (observer != nullptr) rows_checked += observer->rows_checked();
  return uncore_->read_register(offset, static_cast<std::uint32_t>(rows_checked));
}

std::uint32_t DeviceCore::copy_profile(std::uint32_t engine, std::uint32_t address) {
  if (engine >= engines_.size()) return 0;
  const std::vector<RowProfile>& profile = engines_[engine].profile();
  const std::size_t bytes = profile.size() * sizeof(RowProfile);
  if (bytes == 0 || address + bytes > host_.size_bytes) return 0;
  std::memcpy(host_.data + address, profile.data(), bytes);
  return static_cast<std::uint32_t>(profile.size());
}

}  // namespace ppu::hw
