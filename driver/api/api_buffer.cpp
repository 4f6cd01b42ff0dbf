// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// C API: ranges of device memory.
#include "driver/api/registry.hpp"
#include "driver/device/transfer.hpp"

using namespace ppu::driver;

extern "C" {

ppu_result ppu_buffer_create(ppu_device device, size_t size_bytes, ppu_buffer* buffer) {
  return guarded([&] {
    require(buffer, "buffer");
    const auto owner = use_device(device);
    if (size_bytes == 0) fail(PPU_ERROR_INVALID_ARGUMENT, "size_bytes is 0, expected at least 1");
    *buffer = registry().buffers.insert(
        std::make_shared<Buffer>(Buffer{owner->device, owner->device->allocate(size_bytes)}));
  });
}

ppu_result ppu_buffer_destroy(ppu_buffer buffer) {
  return guarded([&] { destroy(registry().buffers, buffer); });
}

ppu_result ppu_buffer_write(ppu_buffer buffer, size_t offset_bytes, const void* data,
                            size_t size_bytes) {
  return guarded([&] {
    const auto found = use(registry().buffers, buffer);
    const Part part = part_of(*found->device, *found, offset_bytes, size_bytes);
    if (size_bytes > 0) require(data, "data");
    write_part(*found->device, part, data);
  });
}

ppu_result ppu_buffer_read(ppu_buffer buffer, size_t offset_bytes, void* data, size_t size_bytes) {
  return guarded([&] {
    const auto found = use(registry().buffers, buffer);
    const Part part = part_of(*found->device, *found, offset_bytes, size_bytes);
    if (size_bytes > 0) require(data, "data");
    read_part(*found->device, part, data);
  });
}

}  // extern "C"
