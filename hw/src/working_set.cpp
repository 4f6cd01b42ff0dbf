// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "ppu/hw/working_set.hpp"

#include "ppu/hw/run_stop.hpp"

namespace ppu::hw {
namespace {

[[noreturn]] void bad_command(const std::string& what) {
  throw RunStop{PPU_RUN_BAD_COMMAND, PPU_NONE, what};
}

void check_limit(const char* what, std::uint64_t value, std::uint64_t limit, const char* key) {
  if (value > limit)
    bad_command(std::string(what) + ": " + std::to_string(value) + " do not fit " + key + " = " +
                std::to_string(limit));
}

void check_range(const char* what, std::uint64_t address, std::uint64_t bytes,
                 const DeviceMemory& memory) {
  if (address % 4 != 0 || address > memory.size_bytes || bytes > memory.size_bytes - address)
    bad_command(std::string(what) + ": " + std::to_string(bytes) + " bytes at " +
                std::to_string(address) + " are not an aligned range of the " +
                std::to_string(memory.size_bytes) + " bytes of device memory");
}

[[noreturn]] void bad_row(std::uint32_t slot, const std::string& what) {
  throw RunStop{PPU_RUN_BAD_ROW, slot, what};
}

void check_row(const ppu_row& row, std::uint32_t slot, const RunCommand& command) {
  for (const std::uint32_t body : {row.body_a, row.body_b})
    if (body != PPU_NONE && body >= command.body_count)
      bad_row(slot, "body " + std::to_string(body) + ", expected less than " +
                        std::to_string(command.body_count) + " or none");
  if (row.body_a == row.body_b && row.body_a != PPU_NONE)
    bad_row(slot, "body " + std::to_string(row.body_a) + " twice");
  if (row.parent != PPU_NONE && (row.parent >= command.row_count || row.parent == slot))
    bad_row(slot, "parent " + std::to_string(row.parent) + ", expected another slot less than " +
                      std::to_string(command.row_count) + " or none");
}

}  // namespace

void check_command(const Config& config, const DeviceMemory& memory, const RunCommand& command) {
  check_limit("program words", command.program_words, config.instruction_memory_words,
              "instruction_memory_words");
  check_limit("rows", command.row_count, config.impulse_memory_rows, "impulse_memory_rows");
  check_limit("bodies", command.body_count, config.body_memory_bodies, "body_memory_bodies");
  const std::uint64_t rows = command.row_count;
  check_range("program", command.program_address, 4 * std::uint64_t{command.program_words}, memory);
  check_range("rows", command.rows_address, rows * PPU_ROW_BYTES, memory);
  check_range("impulses", command.impulses_address, rows * kImpulseBytes, memory);
  check_range("velocities", command.velocities_address, command.body_count * kVelocityBytes,
              memory);
  if (command.profile_address != RunCommand::kNoProfile)
    check_range("profile", command.profile_address, rows * sizeof(RowProfile), memory);
  const auto* row = reinterpret_cast<const ppu_row*>(memory.data + command.rows_address);
  for (std::uint32_t slot = 0; slot < command.row_count; ++slot)
    check_row(row[slot], slot, command);
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
  c[PPU_COUNTER_ROW_BYTES_ON_CHIP] += count * (PPU_ROW_BYTES + kImpulseBytes);
  if (kernel.reads_parent()) c[PPU_COUNTER_ROW_BYTES_ON_CHIP] += with_parent * kImpulseBytes;
  if (kernel.stores_impulse())
    c[PPU_COUNTER_ROW_BYTES_ON_CHIP] += (count - skipped) * kImpulseBytes;
}

std::string describe_fault(const model::RowOperands& in, const model::RowResult& result) {
  const auto say = [&](const std::string& what, float value) {
    return what + " is " + std::to_string(value);
  };
  if (!model::is_finite(result.rate)) return say("the rate u", result.rate);
  if (!model::is_finite(result.target)) return say("the unclamped impulse", result.target);
  if (!model::is_finite(result.delta)) return say("the change of the impulse", result.delta);
  for (std::size_t i = 0; i < result.velocity.size(); ++i)
    if (!model::is_finite(result.velocity[i]))
      return say("velocity element " + std::to_string(i), result.velocity[i]);
  return say("not lo <= hi: the upper bound or friction coefficient", in.upper);
}

}  // namespace ppu::hw
