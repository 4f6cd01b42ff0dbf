// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Recording of commands.
#include "driver/device/recording.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "driver/base/failure.hpp"
#include "hw/contract/row_profile.hpp"
#include "hw/contract/row_records.hpp"

namespace ppu::driver {
namespace {

// A profile in host memory is read as the C API's.
static_assert(sizeof(ppu_row_profile) == sizeof(hw::RowProfile));
static_assert(offsetof(ppu_row_profile, visits) == offsetof(hw::RowProfile, visits));
static_assert(offsetof(ppu_row_profile, cycles) == offsetof(hw::RowProfile, cycles));
static_assert(offsetof(ppu_row_profile, body_stall) == offsetof(hw::RowProfile, body_stall));
static_assert(offsetof(ppu_row_profile, body_b_stall) == offsetof(hw::RowProfile, body_b_stall));
static_assert(offsetof(ppu_row_profile, parent_stall) == offsetof(hw::RowProfile, parent_stall));
static_assert(offsetof(ppu_row_profile, fetch_stall) == offsetof(hw::RowProfile, fetch_stall));
static_assert(offsetof(ppu_row_profile, lane_stall) == offsetof(hw::RowProfile, lane_stall));
static_assert(offsetof(ppu_row_profile, bank_stall) == offsetof(hw::RowProfile, bank_stall));
static_assert(offsetof(ppu_row_profile, filter_stall) == offsetof(hw::RowProfile, filter_stall));
static_assert(sizeof(ppu_velocity) == spec::kVelocityBytes);

/// Place of an address in its beat. A copy moves whole beats, so both sides have the same one.
std::uint32_t place_in_beat(std::uint32_t address) {
  return address % spec::kBeatBytes;
}

/// Staging for a part at the same place of a beat; returns where its bytes go.
std::byte* stage_copy(Batch& batch, const Part& part, spec::CommandOpcode opcode) {
  const std::uint32_t place = place_in_beat(part.address);
  const HostBlock& block = batch.stage(place + part.size_bytes);
  const Descriptor range{block.address() + place, part.address,
                         static_cast<std::uint32_t>(part.size_bytes), 0};
  batch.add_copy(opcode, &range, 1);
  batch.keep(part.memory);
  return block.data() + place;
}

/// The whole of a run's buffer, which must hold `size_bytes`.
std::uint32_t run_buffer(Batch& batch, const Device& device, const Buffer& buffer, const char* name,
                         std::uint64_t size_bytes) {
  if (buffer.device.get() != &device)
    fail(PPU_ERROR_INVALID_HANDLE, "buffer '", name, "' was made on another device");
  if (buffer.memory->size_bytes() < size_bytes)
    fail(PPU_ERROR_INVALID_ARGUMENT, "buffer '", name, "' has ", buffer.memory->size_bytes(),
         " bytes, the run needs ", size_bytes);
  batch.keep(buffer.memory);
  return buffer.memory->address();
}

}  // namespace

Part part_of(const Device& device, const Buffer& buffer, std::size_t offset_bytes,
             std::size_t size_bytes) {
  if (buffer.device.get() != &device)
    fail(PPU_ERROR_INVALID_HANDLE, "the buffer was made on another device");
  const std::uint64_t total = buffer.memory->size_bytes();
  if (offset_bytes > total || size_bytes > total - offset_bytes)
    fail(PPU_ERROR_INVALID_ARGUMENT, size_bytes, " bytes at offset ", offset_bytes,
         " do not lie inside the buffer of ", total, " bytes");
  return {buffer.memory, buffer.memory->address() + static_cast<std::uint32_t>(offset_bytes),
          size_bytes};
}

void record_copy_in(Batch& batch, const Part& part, const void* data) {
  if (part.size_bytes == 0) return;
  require(data, "data");
  std::memcpy(stage_copy(batch, part, spec::CommandOpcode::kCopyIn), data, part.size_bytes);
}

void record_copy_out(Batch& batch, const Part& part, void* data) {
  if (part.size_bytes == 0) return;
  require(data, "data");
  const std::byte* staged = stage_copy(batch, part, spec::CommandOpcode::kCopyOut);
  batch.deliver_to(data, staged, part.size_bytes);
}

void record_copy_within(Batch& batch, const Part& from, const Part& to) {
  if (from.size_bytes == 0) return;
  if (place_in_beat(from.address) != place_in_beat(to.address))
    fail(PPU_ERROR_INVALID_ARGUMENT, "the offsets ", place_in_beat(from.address), " and ",
         place_in_beat(to.address), " modulo ", spec::kBeatBytes, " differ, expected equal ones");
  const std::uint32_t distance =
      std::max(from.address, to.address) - std::min(from.address, to.address);
  if (distance < from.size_bytes)
    fail(PPU_ERROR_INVALID_ARGUMENT, "the ", from.size_bytes, " bytes to copy overlap: they are ",
         distance, " bytes apart");
  const Descriptor range{from.address, to.address, static_cast<std::uint32_t>(from.size_bytes), 0};
  batch.add_copy(spec::CommandOpcode::kCopyWithin, &range, 1);
  batch.keep(from.memory);
  batch.keep(to.memory);
}

void check_capacity(const hw::Config& config, const char* what, std::uint32_t row_count,
                    std::uint32_t body_count) {
  if (row_count > config.impulse_memory_rows)
    fail(PPU_ERROR_CAPACITY, what, " has ", row_count, " rows, impulse_memory_rows is ",
         config.impulse_memory_rows);
  if (body_count > config.body_memory_bodies)
    fail(PPU_ERROR_CAPACITY, what, " has ", body_count, " bodies, body_memory_bodies is ",
         config.body_memory_bodies);
}

void set_program(hw::RunCommand& command, const Device& device, const Program& program) {
  if (program.device.get() != &device)
    fail(PPU_ERROR_INVALID_HANDLE, "the program was loaded on another device");
  command.entry = program.memory->address() / static_cast<std::uint32_t>(sizeof(std::uint32_t));
  command.program_words = static_cast<std::uint32_t>(program.words->size());
  command.reduced = program.reduced;
}

std::uint32_t record_run(Batch& batch, const Device& device, const ppu_run_def& def,
                         const RunObjects& objects) {
  const Program& program = *objects.program;
  const std::uint64_t rows = def.row_count;
  if (def.profile != nullptr) device.require_profiles("def->profile");
  if (def.chained && device.is_shared())
    fail(PPU_ERROR_INVALID_ARGUMENT,
         "def->chained is set, but the device is shared: the copies of ",
         "the rows could wait behind a run of another client, which waits for the engine");
  check_capacity(device.config(), "the run", def.row_count, def.body_count);
  hw::RunCommand command;
  set_program(command, device, program);
  command.row_count = def.row_count;
  command.body_count = def.body_count;
  command.rows_address = run_buffer(batch, device, *objects.rows, "rows",
                                    hw::RowRecords::bytes(program.reduced, 0, def.row_count));
  command.impulses_address =
      run_buffer(batch, device, *objects.impulses, "impulses", rows * spec::kImpulseBytes);
  command.velocities_address = run_buffer(batch, device, *objects.velocities, "velocities",
                                          std::uint64_t{def.body_count} * spec::kVelocityBytes);
  command.stream = def.stream;
  command.chained = def.chained;
  command.early = def.early;
  std::copy(std::begin(def.arguments), std::end(def.arguments), command.arguments.begin());
  batch.keep(program.memory);
  const std::uint32_t run = batch.add_run(command, program.words, def.profile != nullptr);
  if (def.profile != nullptr && rows > 0)
    batch.deliver_to(def.profile, batch.profile(run), rows * sizeof(ppu_row_profile));
  return run;
}

}  // namespace ppu::driver
