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
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
    for (int i = 0; i < 60; ++i) {
      const std::uint64_t size = 1 + random() % 1000;
      ranges.emplace_back(allocator.allocate(size), size);
    }
    std::shuffle(ranges.begin(), ranges.end(), random);
    for (const auto& [address, size] : ranges) allocator.release(address, size);
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

/// With a search among what is used this would take hours.
TEST(Allocator, TakesNoLongerTheMoreIsUsed) {
  constexpr std::uint32_t kCount = 1'000'000;
  const auto memory = std::make_shared<Allocator>("memory", std::uint64_t{kCount} * 64);
  std::vector<Allocation> all;
  for (std::uint32_t i = 0; i < kCount; ++i) all.emplace_back(memory, 1);
  EXPECT_EQ(all.back().address(), (kCount - 1) * 64);
  all.clear();
  EXPECT_EQ(memory->allocate(std::uint64_t{kCount} * 64), 0U);
}

}  // namespace
}  // namespace ppu::driver
