// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Host memory that the device reaches: the command ring, staging areas, reports and fences are
// blocks of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "driver/device/allocator.hpp"
#include "hw/contract/device.hpp"

namespace ppu::driver {

/// A block of host memory, 64-byte aligned, given back with its owner.
class HostBlock {
 public:
  HostBlock() = default;
  HostBlock(Allocation allocation, std::byte* memory)
      : data_(memory + allocation.address()), allocation_(std::move(allocation)) {}

  /// As the device sees it.
  [[nodiscard]] std::uint32_t address() const { return allocation_.address(); }
  [[nodiscard]] std::byte* data() const { return data_; }
  template <class T>
  [[nodiscard]] T* as() const {
    return reinterpret_cast<T*>(data_);
  }

 private:
  std::byte* data_ = nullptr;
  Allocation allocation_;
};

class HostMemory {
 public:
  explicit HostMemory(hw::Memory memory)
      : data_(memory.data),
        size_bytes_(memory.size_bytes),
        allocator_(std::make_shared<Allocator>("host memory", memory.size_bytes)) {}
  /// A part of it, for a client of the device.
  HostMemory(const HostMemory& all, const HostBlock& window, std::uint64_t size_bytes)
      : data_(all.data_),
        size_bytes_(size_bytes),
        of_client_(true),
        allocator_(std::make_shared<Allocator>("host memory", size_bytes, window.address())) {}

  [[nodiscard]] std::uint64_t size_bytes() const { return size_bytes_; }
  /// The device answers no queries of clients.
  [[nodiscard]] bool of_client() const { return of_client_; }

  /// At least one byte. Throws Failure (PPU_ERROR_CAPACITY).
  [[nodiscard]] HostBlock allocate(std::uint64_t size_bytes) const {
    return {Allocation(allocator_, size_bytes), data_};
  }

 private:
  std::byte* data_;
  std::uint64_t size_bytes_;
  bool of_client_ = false;
  std::shared_ptr<Allocator> allocator_;
};

}  // namespace ppu::driver
