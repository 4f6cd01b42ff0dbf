// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The device memory of a simulated device: zero, and taken from the system only where it is used.
#pragma once

#include "hw/contract/device.hpp"

namespace ppu::hw {

class MappedMemory {
 public:
  /// Throws std::bad_alloc.
  explicit MappedMemory(std::size_t size_bytes);
  ~MappedMemory();
  MappedMemory(const MappedMemory&) = delete;
  MappedMemory& operator=(const MappedMemory&) = delete;

  [[nodiscard]] Memory memory() const { return memory_; }

 private:
  Memory memory_;
};

}  // namespace ppu::hw
