// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// First-fit allocation: alignment, no overlap, reuse, and sizes that would wrap.
#include "allocator.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "failure.hpp"

namespace ppu::driver {
namespace {

constexpr std::uint64_t kSize = 1 << 16;

TEST(Allocator, GivesAlignedRangesThatDoNotOverlap) {
  Allocator allocator(kSize);
  const Range a = allocator.allocate(1);
  const Range b = allocator.allocate(65);
  const Range c = allocator.allocate(64);
  EXPECT_EQ(a.address, 0U);
  EXPECT_EQ(b.address, 64U);
  EXPECT_EQ(c.address, 192U);
}

TEST(Allocator, GivesTheWholeMemoryBackAfterReleasesInAnyOrder) {
  std::mt19937 random(7);
  Allocator allocator(kSize);
  for (int round = 0; round < 50; ++round) {
    std::vector<Range> ranges;
    for (int i = 0; i < 60; ++i) ranges.push_back(allocator.allocate(1 + random() % 1000));
    std::shuffle(ranges.begin(), ranges.end(), random);
    for (const Range range : ranges) allocator.release(range);
  }
  EXPECT_EQ(allocator.allocate(kSize).address, 0U);
}

TEST(Allocator, RandomAllocationsNeverOverlap) {
  std::mt19937 random(11);
  Allocator allocator(kSize);
  std::vector<Range> live;
  for (int step = 0; step < 2000; ++step) {
    if (live.size() > 20 || (!live.empty() && random() % 2 == 0)) {
      const std::size_t victim = random() % live.size();
      allocator.release(live[victim]);
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(victim));
      continue;
    }
    const Range range = allocator.allocate(1 + random() % 2000);
    for (const Range other : live)
      ASSERT_TRUE(range.address >= other.address + other.size_bytes ||
                  other.address >= range.address + range.size_bytes);
    live.push_back(range);
  }
}

TEST(Allocator, RefusesMoreThanItHas) {
  Allocator allocator(kSize);
  const Range first = allocator.allocate(kSize - 64);
  for (const std::uint64_t size : {std::uint64_t{65}, kSize, ~std::uint64_t{0}}) {
    try {
      allocator.allocate(size);
      FAIL() << size;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.result, PPU_ERROR_CAPACITY);
      EXPECT_NE(std::string(failure.what()).find("largest free range has 64"), std::string::npos);
    }
  }
  EXPECT_EQ(allocator.allocate(64).address, first.address + first.size_bytes);
}

}  // namespace
}  // namespace ppu::driver
