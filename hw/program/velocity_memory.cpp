// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/program/velocity_memory.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "hw/contract/host_records.hpp"

namespace ppu::hw {
namespace {

/// The one NaN of the device's adders and multipliers, for any of the host's.
float one_nan(float value) {
  return std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : value;
}

}  // namespace

void VelocityMemory::load(const Memory& memory, const RunCommand& command) {
  *this = {};
  velocities.resize(command.body_count);
  const std::byte* record = memory.data + command.velocities_address;
  for (Velocity& velocity : velocities) {
    std::memcpy(velocity.data(), record, sizeof velocity);
    record += spec::kVelocityBytes;
  }
}

std::uint32_t VelocityMemory::beats() const {
  return beats_of(velocities.size() * spec::kVelocityBytes);
}

std::uint64_t VelocityMemory::store_beat(const Memory& memory, const RunCommand& command,
                                         std::uint32_t beat) const {
  constexpr std::size_t kVelocities = spec::kBeatBytes / spec::kVelocityBytes;
  const std::size_t first = beat * kVelocities;
  const std::size_t end = std::min(first + kVelocities, velocities.size());
  for (std::size_t body = first; body < end; ++body) {
    std::byte* const record =
        memory.data + command.velocities_address + body * spec::kVelocityBytes;
    const Velocity& velocity = velocities[body];
    std::memcpy(record, velocity.data(), sizeof velocity);
    std::memset(record + sizeof velocity, 0, spec::kVelocityBytes - sizeof velocity);
  }
  return strobe_of(0, static_cast<std::uint32_t>(end - first) * spec::kVelocityBytes);
}

void VelocityMemory::rebase(Counters* counters) {
  bases = velocities;
  based = true;
  counters->at(PPU_COUNTER_VELOCITY_READS) += velocities.size();
}

bool VelocityMemory::extrapolate(float factor, Counters* counters) {
  constexpr std::uint64_t kFlopsPerElement = 3;
  if (!based) return false;
  for (std::size_t body = 0; body < velocities.size(); ++body) {
    const Velocity before = velocities[body];
    for (std::size_t i = 0; i < before.size(); ++i)
      velocities[body][i] = one_nan(before[i] + factor * (before[i] - bases[body][i]));
    bases[body] = before;
  }
  counters->at(PPU_COUNTER_VELOCITY_READS) += velocities.size();
  counters->at(PPU_COUNTER_VELOCITY_WRITES) += velocities.size();
  counters->at(PPU_COUNTER_FLOPS) += velocities.size() * Velocity{}.size() * kFlopsPerElement;
  return true;
}

}  // namespace ppu::hw
