// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// First-fit allocation: the memory as a list of used and free blocks.
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

Allocator::Allocator(const char* name, std::uint64_t size_bytes)
    : name_(name), size_bytes_(size_bytes) {
  blocks_.push_back({0, size_bytes / kAlignment * kAlignment, false});
}

std::uint64_t Allocator::largest_free() const {
  std::uint64_t largest = 0;
  for (const Block& block : blocks_)
    if (!block.used) largest = std::max(largest, block.size);
  return largest;
}

std::uint64_t Allocator::allocate(std::uint64_t size_bytes) {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    // Compare before rounding up: a size near 2^64 must not wrap.
    const Block block = blocks_[i];
    if (block.used || size_bytes > block.size) continue;
    const std::uint64_t used = round_up(size_bytes);
    if (used < block.size) {
      const auto next = blocks_.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      blocks_.insert(next, {block.address + used, block.size - used, false});
    }
    blocks_[i] = {block.address, used, true};
    return block.address;
  }
  fail(PPU_ERROR_CAPACITY, name_, ": ", size_bytes, " bytes asked for, the largest free range has ",
       largest_free(), " of ", size_bytes_, " bytes");
}

void Allocator::release(std::uint64_t address) noexcept {
  auto place = std::lower_bound(
      blocks_.begin(), blocks_.end(), address,
      [](const Block& block, std::uint64_t wanted) { return block.address < wanted; });
  place->used = false;
  // Join with the free blocks after and before.
  const auto next = std::next(place);
  if (next != blocks_.end() && !next->used) {
    place->size += next->size;
    place = std::prev(blocks_.erase(next));
  }
  if (place == blocks_.begin()) return;
  const auto before = std::prev(place);
  if (before->used) return;
  before->size += place->size;
  blocks_.erase(place);
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
  if (from_) from_->release(address_);
}

}  // namespace ppu::driver
