// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "ppu/hw/working_set.hpp"

#include <algorithm>
#include <cstring>

#include "ppu/hw/host_records.hpp"

namespace ppu::hw {

void check_row(const ppu_row& row, std::uint32_t slot, const RunCommand& command) {
  const auto bad = [slot](ppu_fault_detail detail, std::uint32_t value) {
    throw RunStop{PPU_RUN_BAD_ROW, slot, static_cast<std::uint32_t>(detail), {}, value};
  };
  if (row.body_a != PPU_NONE && row.body_a >= command.body_count) bad(PPU_FAULT_BODY_A, row.body_a);
  if (row.body_b != PPU_NONE && row.body_b >= command.body_count) bad(PPU_FAULT_BODY_B, row.body_b);
  if (row.body_a == row.body_b && row.body_a != PPU_NONE) bad(PPU_FAULT_SAME_BODY, row.body_a);
  if (row.parent != PPU_NONE && (row.parent >= command.row_count || row.parent == slot))
    bad(PPU_FAULT_PARENT, row.parent);
}

WorkingSet WorkingSet::load(const Memory& memory, const RunCommand& command) {
  WorkingSet set{std::vector<float>(command.row_count), std::vector<Velocity>(command.body_count)};
  if (!set.impulses.empty())
    std::memcpy(set.impulses.data(), memory.data + command.impulses_address,
                set.impulses.size() * sizeof(float));
  const std::byte* record = memory.data + command.velocities_address;
  for (Velocity& velocity : set.velocities) {
    std::memcpy(velocity.data(), record, sizeof velocity);
    record += spec::kVelocityBytes;
  }
  return set;
}

void WorkingSet::store(const Memory& memory, const RunCommand& command) const {
  const std::uint32_t beats = beats_of(impulses.size() * sizeof(float)) +
                              beats_of(velocities.size() * spec::kVelocityBytes);
  for (std::uint32_t beat = 0; beat < beats; ++beat) store_beat(memory, command, beat);
}

void WorkingSet::store_beat(const Memory& memory, const RunCommand& command,
                            std::uint32_t beat) const {
  constexpr std::size_t kImpulses = spec::kBeatBytes / sizeof(float);
  constexpr std::size_t kVelocities = spec::kBeatBytes / spec::kVelocityBytes;
  const std::uint32_t impulse_beats = beats_of(impulses.size() * sizeof(float));
  if (beat < impulse_beats) {
    const std::size_t first = beat * kImpulses;
    const std::size_t count = std::min(kImpulses, impulses.size() - first);
    std::memcpy(memory.data + command.impulses_address + first * sizeof(float), &impulses[first],
                count * sizeof(float));
    return;
  }
  const std::size_t first = (beat - impulse_beats) * kVelocities;
  const std::size_t end = std::min(first + kVelocities, velocities.size());
  for (std::size_t body = first; body < end; ++body) {
    std::byte* const record =
        memory.data + command.velocities_address + body * spec::kVelocityBytes;
    const Velocity& velocity = velocities[body];
    std::memcpy(record, velocity.data(), sizeof velocity);
    std::memset(record + sizeof velocity, 0, spec::kVelocityBytes - sizeof velocity);
  }
}

RowCensus::RowCensus(const ppu_row* rows, std::uint32_t count) : before_(count + 1) {
  for (std::uint32_t slot = 0; slot < count; ++slot) {
    Sums sums = before_[slot];
    sums.with_cfm += rows[slot].compliance != 0.0F ? 1U : 0U;
    sums.with_parent += rows[slot].parent != PPU_NONE ? 1U : 0U;
    sums.bodies += static_cast<std::uint32_t>(dynamic_bodies(rows[slot]));
    before_[slot + 1] = sums;
  }
}

void RowCensus::count_pass(const LoadedKernel& kernel, std::uint32_t first, std::uint32_t count,
                           std::uint64_t skipped, std::uint64_t skipped_bodies,
                           Counters* counters) const {
  const Sums& from = before_[first];
  const Sums& to = before_[first + count];
  const std::uint64_t with_cfm = to.with_cfm - from.with_cfm;
  const std::uint64_t with_parent = to.with_parent - from.with_parent;
  const std::uint64_t bodies = to.bodies - from.bodies;
  const auto times = [](int each, std::uint64_t n) { return static_cast<std::uint64_t>(each) * n; };
  Counters& c = *counters;
  c[PPU_COUNTER_ROW_UPDATES] += count;
  c[PPU_COUNTER_ROWS_SKIPPED] += skipped;
  c[PPU_COUNTER_FLOPS] += times(kernel.flops, count) + times(kernel.flops_with_cfm, with_cfm) +
                          times(kernel.flops_with_parent, with_parent);
  c[PPU_COUNTER_VELOCITY_READS] += bodies;
  if (kernel.stores_velocity()) c[PPU_COUNTER_VELOCITY_WRITES] += bodies - skipped_bodies;
  c[PPU_COUNTER_ROW_BYTES_ON_CHIP] += count * (PPU_ROW_BYTES + spec::kImpulseBytes);
  if (kernel.reads_parent()) c[PPU_COUNTER_ROW_BYTES_ON_CHIP] += with_parent * spec::kImpulseBytes;
  if (kernel.stores_impulse())
    c[PPU_COUNTER_ROW_BYTES_ON_CHIP] += (count - skipped) * spec::kImpulseBytes;
}

RunStop row_fault(std::uint32_t slot, const model::RowResult& result) {
  const auto detail = [&result] {
    if (!model::is_finite(result.rate)) return PPU_FAULT_RATE;
    if (!model::is_finite(result.target)) return PPU_FAULT_TARGET;
    if (!model::is_finite(result.delta)) return PPU_FAULT_DELTA;
    for (const float velocity : result.velocity)
      if (!model::is_finite(velocity)) return PPU_FAULT_VELOCITY;
    return PPU_FAULT_BOUNDS;
  };
  return {PPU_RUN_ROW_FAULT, slot, static_cast<std::uint32_t>(detail()), {}};
}

}  // namespace ppu::hw
