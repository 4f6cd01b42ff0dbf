// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/contract/mapped_memory.hpp"

#include <sys/mman.h>

#include <new>

namespace ppu::hw {

MappedMemory::MappedMemory(std::size_t size_bytes) {
  void* const data = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) throw std::bad_alloc();
  memory_ = {static_cast<std::byte*>(data), size_bytes};
}

MappedMemory::~MappedMemory() {
  munmap(memory_.data, memory_.size_bytes);
}

}  // namespace ppu::hw
