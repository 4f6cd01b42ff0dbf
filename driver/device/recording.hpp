// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Recording of the C API's commands in a batch, with their checks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "driver/device/batch.hpp"
#include "driver/device/registry.hpp"

namespace ppu::driver {

/// Part of a buffer, checked to lie inside.
struct Part {
  std::shared_ptr<const Allocation> memory;
  std::uint32_t address = 0;
  std::size_t size_bytes = 0;
};

/// Bytes [offset, offset + size) of the buffer, which must be of the device. Throws Failure.
Part part_of(const Device& device, ppu_buffer buffer, std::size_t offset_bytes,
             std::size_t size_bytes);

/// Copies `data` to host memory now and from there to device memory when the batch gets to it.
void record_copy_in(Batch& batch, const Part& part, const void* data);
/// `data` receives the bytes at delivery.
void record_copy_out(Batch& batch, const Part& part, void* data);
/// Throws Failure unless the parts lie at the same place of a beat and do not overlap.
void record_copy_within(Batch& batch, const Part& from, const Part& to);
/// Returns the number of the run in the batch.
std::uint32_t record_run(Batch& batch, const Device& device, const ppu_run_def& def);

/// Throws Failure (PPU_ERROR_CAPACITY) if `what` ("the run") is larger than what an engine takes.
void check_capacity(const hw::Config& config, const char* what, std::uint32_t row_count,
                    std::uint32_t body_count);
/// The command's program fields, after checking that the program is of this device.
void set_program(hw::RunCommand& command, const Device& device, const Program& program);

}  // namespace ppu::driver
