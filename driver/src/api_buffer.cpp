// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// C API: ranges of device memory.
#include <cstring>

#include "registry.hpp"

namespace ppu::driver {
namespace {

/// Part [offset, offset + size) of a buffer, refused if it does not lie inside.
Range part_of(const Buffer& buffer, std::size_t offset_bytes, std::size_t size_bytes) {
  const std::uint64_t total = buffer.range.size_bytes;
  if (offset_bytes > total || size_bytes > total - offset_bytes)
    fail(PPU_ERROR_INVALID_ARGUMENT, size_bytes, " bytes at offset ", offset_bytes,
         " do not lie inside the buffer of ", total, " bytes");
  return Range{buffer.range.address + offset_bytes, size_bytes};
}

}  // namespace
}  // namespace ppu::driver

using namespace ppu::driver;

extern "C" {

ppu_result ppu_buffer_create(ppu_device device, size_t size_bytes, ppu_buffer* buffer) {
  return guarded([&] {
    require(buffer, "buffer");
    const auto owner = registry().devices.find(device);
    if (size_bytes == 0) fail(PPU_ERROR_INVALID_ARGUMENT, "size_bytes is 0, expected at least 1");
    *buffer = registry().buffers.insert(
        std::make_shared<Buffer>(Buffer{owner, owner->allocate(size_bytes)}));
  });
}

ppu_result ppu_buffer_destroy(ppu_buffer buffer) {
  return guarded([&] {
    const auto found = registry().buffers.find(buffer);
    found->device->release(found->range);
    registry().buffers.remove(buffer);
  });
}

ppu_result ppu_buffer_write(ppu_buffer buffer, size_t offset_bytes, const void* data,
                            size_t size_bytes) {
  return guarded([&] {
    const auto found = registry().buffers.find(buffer);
    const Range part = part_of(*found, offset_bytes, size_bytes);
    if (size_bytes == 0) return;
    require(data, "data");
    std::memcpy(found->device->host(part), data, size_bytes);
  });
}

ppu_result ppu_buffer_read(ppu_buffer buffer, size_t offset_bytes, void* data, size_t size_bytes) {
  return guarded([&] {
    const auto found = registry().buffers.find(buffer);
    const Range part = part_of(*found, offset_bytes, size_bytes);
    if (size_bytes == 0) return;
    require(data, "data");
    std::memcpy(data, found->device->host(part), size_bytes);
  });
}

}  // extern "C"
