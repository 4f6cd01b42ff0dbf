// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/program/working_set.hpp"

namespace ppu::hw {
BadField find_bad_field(const ppu_row& row, std::uint32_t slot, const RunCommand& command) {
  if (row.body_a != PPU_NONE && row.body_a >= command.body_count)
    return {PPU_FAULT_BODY_A, row.body_a};
  if (row.body_b != PPU_NONE && row.body_b >= command.body_count)
    return {PPU_FAULT_BODY_B, row.body_b};
  if (row.body_a == row.body_b && row.body_a != PPU_NONE) return {PPU_FAULT_SAME_BODY, row.body_a};
  if (row.parent != PPU_NONE && (row.parent >= command.row_count || row.parent == slot))
    return {PPU_FAULT_PARENT, row.parent};
  return {};
}

void check_row(const ppu_row& row, std::uint32_t slot, const RunCommand& command) {
  const BadField bad = find_bad_field(row, slot, command);
  if (bad.detail != PPU_FAULT_NONE) throw bad_row(slot, bad);
}

WorkingSet WorkingSet::load(const Memory& memory, const RunCommand& command) {
  WorkingSet set;
  set.ImpulseMemory::load(memory, command);
  set.VelocityMemory::load(memory, command);
  return set;
}

void WorkingSet::store(const Memory& memory, const RunCommand& command) const {
  for (std::uint32_t beat = 0; beat < ImpulseMemory::beats(); ++beat)
    ImpulseMemory::store_beat(memory, command, beat);
  for (std::uint32_t beat = 0; beat < VelocityMemory::beats(); ++beat)
    VelocityMemory::store_beat(memory, command, beat);
}

void WorkingSet::rebase(Counters* counters) {
  VelocityMemory::rebase(counters);
  extrapolating = false;
}

bool WorkingSet::extrapolate(Counters* counters) {
  if (!VelocityMemory::extrapolate(lead_factor, counters)) return false;
  return extrapolating = true;
}

void RowSums::count(const LoadedKernel& kernel, Counters* counters) const {
  const auto times = [](int each, std::uint64_t n) { return static_cast<std::uint64_t>(each) * n; };
  Counters& c = *counters;
  c[PPU_COUNTER_ROW_UPDATES] += rows;
  c[PPU_COUNTER_ROWS_SKIPPED] += skipped;
  c[PPU_COUNTER_FLOPS] += times(kernel.flops, rows) + times(kernel.flops_with_cfm, with_cfm) +
                          times(kernel.flops_with_parent, with_parent);
  c[PPU_COUNTER_VELOCITY_READS] += bodies;
  if (kernel.stores_velocity()) c[PPU_COUNTER_VELOCITY_WRITES] += bodies - skipped_bodies;
  c[PPU_COUNTER_ROW_BYTES_ON_CHIP] += rows * (PPU_ROW_BYTES + spec::kImpulseBytes);
  if (kernel.reads_parent()) c[PPU_COUNTER_ROW_BYTES_ON_CHIP] += with_parent * spec::kImpulseBytes;
  if (kernel.stores_impulse())
    c[PPU_COUNTER_ROW_BYTES_ON_CHIP] += (rows - skipped) * spec::kImpulseBytes;
  // The impulse that was stored, and the lead that is.
  if (kernel.extrapolates()) {
    c[PPU_COUNTER_ROW_BYTES_ON_CHIP] += rows * spec::kImpulseBytes;
    if (kernel.stores_impulse())
      c[PPU_COUNTER_ROW_BYTES_ON_CHIP] += (rows - skipped) * spec::kImpulseBytes;
  }
}

RowCensus::RowCensus(const RowRecords& records, std::uint32_t count) : before_(count + 1) {
  for (std::uint32_t slot = 0; slot < count; ++slot) {
    const ppu_row row = records[slot];
    Before sums = before_[slot];
    sums.with_cfm += row.compliance != 0.0F ? 1U : 0U;
    sums.with_parent += row.parent != PPU_NONE ? 1U : 0U;
    sums.bodies += static_cast<std::uint32_t>(dynamic_bodies(row));
    before_[slot + 1] = sums;
  }
}

void RowCensus::add(std::uint32_t first, std::uint32_t count, RowSums* sums) const {
  const Before& from = before_[first];
  const Before& to = before_[first + count];
  sums->rows += count;
  sums->with_cfm += to.with_cfm - from.with_cfm;
  sums->with_parent += to.with_parent - from.with_parent;
  sums->bodies += to.bodies - from.bodies;
}

RunStop bad_row(std::uint32_t slot, const BadField& bad) {
  return {PPU_RUN_BAD_ROW, slot, static_cast<std::uint32_t>(bad.detail), {}, bad.value};
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
