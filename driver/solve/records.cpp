// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "driver/solve/records.hpp"

#include "driver/base/failure.hpp"
#include "driver/solve/given_rows.hpp"

namespace ppu::driver {
namespace {

/// Makes room; a region that has been outgrown gets some to spare.
void reserve(const Device& device, std::uint64_t size_bytes, Region* region) {
  if (size_bytes <= region->capacity_bytes()) return;
  const bool first = region->capacity_bytes() == 0;
  *region = Region();
  *region = Region(device, first ? size_bytes : whole_beats(size_bytes + size_bytes / 4));
}

}  // namespace

void StartedSolve::end() {
  under_way = false;
  commands.reset();
  // One that a lost device has is not for the next solve.
  if (batch && batch->under_way()) batch.reset();
  if (batch) batch->clear();
}

ppu_record_memory Records::begin(std::uint32_t row_capacity, std::uint32_t body_count) {
  device->require_idle();
  started_.end();
  row_capacity_ = rows_ = bodies_ = 0;
  reserve(*device, std::uint64_t{row_capacity} * sizeof(ppu_row), &regions_.rows);
  reserve(*device, whole_beats(std::uint64_t{row_capacity} * spec::kImpulseBytes),
          &regions_.impulses);
  reserve(*device, whole_beats(std::uint64_t{body_count} * spec::kVelocityBytes),
          &regions_.velocities);
  row_capacity_ = row_capacity;
  bodies_ = body_count;
  memory_ = {regions_.rows.at<ppu_row>(), regions_.impulses.at<float>(),
             regions_.velocities.at<ppu_velocity>()};
  return memory_;
}

void Records::commit(std::uint32_t row_count) {
  if (row_count < rows_ || row_count > row_capacity_)
    fail(PPU_ERROR_INVALID_ARGUMENT, "row_count is ", row_count, ", expected ", rows_, " to ",
         row_capacity_, ", the rows committed before and the capacity");
  if (!good_records(memory_.rows, memory_.impulses, rows_, row_count, bodies_)) refuse(row_count);
  rows_ = row_count;
  if (started_.under_way) started_.handover.reach(rows_);
}

void Records::refuse(std::uint32_t row_count) {
  row_capacity_ = rows_ = 0;
  started_.end();
  // Only what has been written is looked at.
  refuse_records(memory_.rows, memory_.impulses, row_count, bodies_);
  fail(PPU_ERROR_PROBLEM, "a row before row ", row_count, " is not one that the device takes");
}

StartedSolve& Records::start(std::uint32_t row_count) {
  if (row_count < rows_ || row_count > row_capacity_)
    fail(PPU_ERROR_INVALID_ARGUMENT, "row_count is ", row_count, ", expected ", rows_, " to ",
         row_capacity_, ", the rows committed before and the capacity");
  started_.end();
  complete(row_count);
  if (!started_.batch) started_.batch = std::make_shared<Batch>(device->host_memory());
  started_.rows = row_count;
  started_.under_way = true;
  return started_;
}

StartedSolve& Records::started() {
  if (!started_.under_way)
    fail(PPU_ERROR_INVALID_ARGUMENT, "no solve of the records has begun, expected ",
         "ppu_records_start() since the last ppu_records_begin() and ppu_records_finish()");
  return started_;
}

void Records::complete(std::uint32_t row_count) {
  if (!good_velocities(memory_.velocities, bodies_)) refuse_velocities(memory_.velocities, bodies_);
  regions_.rows.use(std::uint64_t{row_count} * sizeof(ppu_row));
  regions_.impulses.use(whole_beats(std::uint64_t{row_count} * spec::kImpulseBytes));
  regions_.velocities.use(whole_beats(std::uint64_t{bodies_} * spec::kVelocityBytes));
}

}  // namespace ppu::driver
