// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// First-fit allocation of a memory that the driver manages (device memory, host memory, instruction
// memory), in 64-byte units, and owners of what was allocated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ppu::driver {

class Allocator {
 public:
  static constexpr std::uint64_t kAlignment = 64;

  /// `name` stands for the memory in sentences, whose part from `first` on it is.
  Allocator(const char* name, std::uint64_t size_bytes, std::uint64_t first = 0);

  /// Address of `size_bytes` bytes, at least one. Throws Failure (PPU_ERROR_CAPACITY) if no free
  /// range is large enough. What is occupied is rounded up to the alignment.
  std::uint64_t allocate(std::uint64_t size_bytes);
  /// Gives back the `size_bytes` bytes for which allocate() returned `address`.
  void release(std::uint64_t address, std::uint64_t size_bytes) noexcept;

 private:
  struct Range {
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    [[nodiscard]] std::uint64_t end() const { return address + size; }
  };
  [[nodiscard]] std::uint64_t largest_free() const;

  const char* name_;
  std::uint64_t size_bytes_;
  std::size_t used_ = 0;  ///< Allocations.
  /// By address; no two touch. It keeps its capacity, which allocate() sees to: taking and giving
  /// back the same again and again allocates nothing, and giving back never does.
  std::vector<Range> free_;
};

/// Bytes of an allocator, given back with their owner.
class Allocation {
 public:
  Allocation() = default;
  /// Throws as Allocator::allocate().
  Allocation(std::shared_ptr<Allocator> from, std::uint64_t size_bytes);
  Allocation(Allocation&& other) noexcept;
  Allocation& operator=(Allocation&& other) noexcept;
  ~Allocation();

  [[nodiscard]] std::uint32_t address() const { return address_; }
  /// As asked for, not rounded up.
  [[nodiscard]] std::uint64_t size_bytes() const { return size_bytes_; }

 private:
  std::shared_ptr<Allocator> from_;
  std::uint32_t address_ = 0;
  std::uint64_t size_bytes_ = 0;
};

}  // namespace ppu::driver
