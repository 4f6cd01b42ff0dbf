// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// First-fit allocation of device memory, in 64-byte units.
#pragma once

#include <cstdint>
#include <map>

namespace ppu::driver {

/// Bytes [address, address + size_bytes) of device memory.
struct Range {
  std::uint64_t address = 0;
  std::uint64_t size_bytes = 0;
  [[nodiscard]] bool empty() const { return size_bytes == 0; }
  friend bool operator==(Range a, Range b) {
    return a.address == b.address && a.size_bytes == b.size_bytes;
  }
};

class Allocator {
 public:
  static constexpr std::uint64_t kAlignment = 64;

  explicit Allocator(std::uint64_t size_bytes);

  /// At least one byte. Throws Failure (PPU_ERROR_CAPACITY) if no free range is large enough. The
  /// range has the size asked for; what it occupies is rounded up to the alignment.
  Range allocate(std::uint64_t size_bytes);
  void release(Range range);

 private:
  [[nodiscard]] std::uint64_t largest_free() const;
  std::uint64_t size_bytes_;
  std::map<std::uint64_t, std::uint64_t> free_;  ///< Address to size; no two touch.
};

}  // namespace ppu::driver
