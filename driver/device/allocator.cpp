// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// First-fit allocation: the memory as a list of free ranges.
#include "driver/device/allocator.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "driver/base/failure.hpp"

namespace ppu::driver {
namespace {

std::uint64_t round_up(std::uint64_t size) {
  return (size + Allocator::kAlignment - 1) / Allocator::kAlignment * Allocator::kAlignment;
}

}  // namespace

Allocator::Allocator(const char* name, std::uint64_t size_bytes, std::uint64_t first)
    : name_(name), size_bytes_(size_bytes) {
  free_.push_back({first, size_bytes / kAlignment * kAlignment});
}

std::uint64_t Allocator::largest_free() const {
  std::uint64_t largest = 0;
  for (const Range& range : free_) largest = std::max(largest, range.size);
  return largest;
}

std::uint64_t Allocator::allocate(std::uint64_t size_bytes) {
  // Between two free ranges is something used: there is at most one more of them.
  if (free_.capacity() < used_ + 2) free_.reserve(2 * (used_ + 2));
  // Compare before rounding up: a size near 2^64 must not wrap.
  const auto place = std::find_if(free_.begin(), free_.end(), [size_bytes](const Range& range) {
    return size_bytes <= range.size;
  });
  if (place == free_.end())
    fail(PPU_ERROR_CAPACITY, name_, ": ", size_bytes,
         " bytes asked for, the largest free range has ", largest_free(), " of ", size_bytes_,
         " bytes");
  const std::uint64_t address = place->address;
  const std::uint64_t size = round_up(size_bytes);
  place->address += size;
  place->size -= size;
  if (place->size == 0) free_.erase(place);
  ++used_;
  return address;
}

void Allocator::release(std::uint64_t address, std::uint64_t size_bytes) noexcept {
  --used_;
  const Range range{address, round_up(size_bytes)};
  const auto next = std::lower_bound(
      free_.begin(), free_.end(), address,
      [](const Range& free, std::uint64_t wanted) { return free.address < wanted; });
  // Join with the free ranges before and after.
  const bool joins_next = next != free_.end() && range.end() == next->address;
  if (next != free_.begin() && std::prev(next)->end() == address) {
    std::prev(next)->size += range.size + (joins_next ? next->size : 0);
    if (joins_next) free_.erase(next);
  } else if (joins_next) {
    *next = {address, range.size + next->size};
  } else {
    free_.insert(next, range);
  }
}

Allocation::Allocation(std::shared_ptr<Allocator> from, std::uint64_t size_bytes)
    : from_(std::move(from)),
      address_(static_cast<std::uint32_t>(from_->allocate(size_bytes))),
      size_bytes_(size_bytes) {
}

Allocation::Allocation(Allocation&& other) noexcept
    : from_(std::move(other.from_)), address_(other.address_), size_bytes_(other.size_bytes_) {
}

Allocation& Allocation::operator=(Allocation&& other) noexcept {
  std::swap(from_, other.from_);
  std::swap(address_, other.address_);
  std::swap(size_bytes_, other.size_bytes_);
  return *this;
}

Allocation::~Allocation() {
  if (from_) from_->release(address_, size_bytes_);
}

}  // namespace ppu::driver
