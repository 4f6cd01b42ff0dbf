// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// First-fit allocation of device memory.
#include "allocator.hpp"

#include <algorithm>
#include <iterator>

#include "failure.hpp"

namespace ppu::driver {
namespace {

std::uint64_t round_up(std::uint64_t size) {
  return (size + Allocator::kAlignment - 1) / Allocator::kAlignment * Allocator::kAlignment;
}

}  // namespace

Allocator::Allocator(std::uint64_t size_bytes) : size_bytes_(size_bytes) {
  free_.emplace(0, size_bytes / kAlignment * kAlignment);
}

std::uint64_t Allocator::largest_free() const {
  std::uint64_t largest = 0;
  for (const auto& [address, size] : free_) largest = std::max(largest, size);
  return largest;
}

Range Allocator::allocate(std::uint64_t size_bytes) {
  // Compare before rounding up: a size near 2^64 must not wrap.
  for (auto place = free_.begin(); place != free_.end(); ++place) {
    const auto [address, free_bytes] = *place;
    if (size_bytes > free_bytes) continue;
    const std::uint64_t used = round_up(size_bytes);
    free_.erase(place);
    if (used < free_bytes) free_.emplace(address + used, free_bytes - used);
    return Range{address, size_bytes};
  }
  fail(PPU_ERROR_CAPACITY, "device memory: ", size_bytes,
       " bytes asked for, the largest free range", " has ", largest_free(), " of ", size_bytes_,
       " bytes");
}

void Allocator::release(Range range) {
  std::uint64_t address = range.address;
  std::uint64_t size = round_up(range.size_bytes);
  // Join with the free range after and the one before.
  auto next = free_.lower_bound(address);
  if (next != free_.end() && address + size == next->first) {
    size += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == address) {
      address = before->first;
      size += before->second;
      free_.erase(before);
    }
  }
  free_.emplace(address, size);
}

}  // namespace ppu::driver
