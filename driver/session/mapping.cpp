// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Mapping of shared memory. Pages are taken only when touched, so a large memory is cheap.
#include "driver/session/mapping.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "driver/base/failure.hpp"

namespace ppu::driver {

Mapping::Mapping(std::size_t size_bytes, int fd) {
  const int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED;
  void* data = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
  if (data == MAP_FAILED)
    fail(PPU_ERROR_SYSTEM, "cannot map ", size_bytes, " bytes of host memory: ", strerror(errno));
  memory_ = {static_cast<std::byte*>(data), size_bytes};
}

Mapping::~Mapping() {
  munmap(memory_.data, memory_.size_bytes);
}

}  // namespace ppu::driver
