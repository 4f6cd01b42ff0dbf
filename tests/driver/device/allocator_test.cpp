// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// First-fit allocation: alignment, no overlap, reuse, sizes that would wrap, and owners.
#include "driver/device/allocator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "driver/base/failure.hpp"

namespace ppu::driver {
namespace {

constexpr std::uint64_t kSize = 1 << 16;

TEST(Allocator, GivesAlignedRangesThatDoNotOverlap) {
  Allocator allocator("memory", kSize);
  EXPECT_EQ(allocator.allocate(1), 0U);
  EXPECT_EQ(allocator.allocate(65), 64U);
  EXPECT_EQ(allocator.allocate(64), 192U);
}

TEST(Allocator, GivesTheWholeMemoryBackAfterReleasesInAnyOrder) {
  std::mt19937 random(7);
  Allocator allocator("memory", kSize);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::uint64_t> addresses;
    for (int i = 0; i < 60; ++i) addresses.push_back(allocator.allocate(1 + random() % 1000));
    std::shuffle(addresses.begin(), addresses.end(), random);
    for (const std::uint64_t address : addresses) allocator.release(address);
  }
  EXPECT_EQ(allocator.allocate(kSize), 0U);
}

TEST(Allocator, RandomAllocationsNeverOverlap) {
  std::mt19937 random(11);
  const auto memory = std::make_shared<Allocator>("memory", kSize);
  std::vector<Allocation> live;
  for (int step = 0; step < 2000; ++step) {
    if (live.size() > 20 || (!live.empty() && random() % 2 == 0)) {
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(random() % live.size()));
      continue;
    }
    Allocation range(memory, 1 + random() % 2000);
    for (const Allocation& other : live)
      ASSERT_TRUE(range.address() >= other.address() + other.size_bytes() ||
                  other.address() >= range.address() + range.size_bytes());
    live.push_back(std::move(range));
  }
}

TEST(Allocator, RefusesMoreThanItHas) {
  Allocator allocator("stack of plates", kSize);
  const std::uint64_t first = allocator.allocate(kSize - 64);
  for (const std::uint64_t size : {std::uint64_t{65}, kSize, ~std::uint64_t{0}}) {
    try {
      allocator.allocate(size);
      FAIL() << size;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.result, PPU_ERROR_CAPACITY);
      EXPECT_EQ(std::string(failure.what()),
                "stack of plates: " + std::to_string(size) +
                    " bytes asked for, the largest free range has 64 of 65536 bytes");
    }
  }
  EXPECT_EQ(allocator.allocate(64), first + kSize - 64);
}

TEST(Allocation, GivesItsBytesBackWhenItsOwnerEnds) {
  const auto memory = std::make_shared<Allocator>("memory", kSize);
  {
    Allocation first(memory, kSize);
    const Allocation moved(std::move(first));
    EXPECT_THROW(Allocation(memory, 1), Failure);
  }
  Allocation again(memory, kSize);
  again = Allocation();
  EXPECT_EQ(Allocation(memory, kSize).address(), 0U);
}

}  // namespace
}  // namespace ppu::driver
