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

ppu_record_memory Records::begin(std::uint32_t row_capacity, std::uint32_t body_count) {
  device->require_idle();
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
}

void Records::refuse(std::uint32_t row_count) {
  row_capacity_ = rows_ = 0;
  // Only what has been written is looked at.
  refuse_records(memory_.rows, memory_.impulses, row_count, bodies_);
  fail(PPU_ERROR_PROBLEM, "a row before row ", row_count, " is not one that the device takes");
}

void Records::complete() {
  if (!good_velocities(memory_.velocities, bodies_)) refuse_velocities(memory_.velocities, bodies_);
  regions_.rows.use(std::uint64_t{rows_} * sizeof(ppu_row));
  regions_.impulses.use(whole_beats(std::uint64_t{rows_} * spec::kImpulseBytes));
  regions_.velocities.use(whole_beats(std::uint64_t{bodies_} * spec::kVelocityBytes));
}

}  // namespace ppu::driver
