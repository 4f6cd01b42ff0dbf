// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// First-fit allocation of a memory that the driver manages (device memory, host memory, instruction
// memory), in 64-byte units, and owners of what was allocated.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace ppu::driver {

class Allocator {
 public:
  static constexpr std::uint64_t kAlignment = 64;

  /// `name` stands for the memory in sentences.
  Allocator(const char* name, std::uint64_t size_bytes);

  /// Address of `size_bytes` bytes, at least one. Throws Failure (PPU_ERROR_CAPACITY) if no free
  /// range is large enough. What is occupied is rounded up to the alignment.
  std::uint64_t allocate(std::uint64_t size_bytes);
  /// Gives back what allocate() returned.
  void release(std::uint64_t address) noexcept;

 private:
  struct Block {
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    bool used = false;
  };
  [[nodiscard]] std::uint64_t largest_free() const;

  const char* name_;
  std::uint64_t size_bytes_;
  /// All of the memory, by address; no two free ones touch. It keeps its capacity, so that taking
  /// and giving back the same again and again allocates nothing.
  std::vector<Block> blocks_;
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
