// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Flipped bits in device memory, as its controller finds them.
#include "hw/contract/device_memory_flips.hpp"

#include <gtest/gtest.h>

#include "hw/contract/host_records.hpp"

namespace ppu::hw::test {
namespace {

// Word 9 is the second one of the beat at 64, word 16 the first one of the beat at 128.
class DeviceMemory : public testing::Test {
 protected:
  DeviceMemory() {
    flips_.flip(9, false);
    flips_.flip(16, true);
  }
  DeviceMemoryFlips flips_;
};

TEST_F(DeviceMemory, CorrectsAWordWithOneFlippedBitWheneverItIsRead) {
  for (int time = 0; time < 2; ++time) {
    EXPECT_EQ(flips_.read(64, 64).corrected, 1U);
    EXPECT_EQ(flips_.read(64, 64).lost, PPU_NONE);
  }
  EXPECT_FALSE(flips_.read(0, 64).found());
}

TEST_F(DeviceMemory, LosesAWordWithTwo) {
  EXPECT_EQ(flips_.read(128, 64).lost, 16U);
  EXPECT_EQ(flips_.read(128, 64).corrected, 0U);
}

TEST_F(DeviceMemory, LooksAtWholeBeats) {
  EXPECT_EQ(flips_.read(127, 1).corrected, 1U);
  EXPECT_EQ(flips_.read(127, 2).lost, 16U);
  EXPECT_FALSE(flips_.read(192, 100).found());
  EXPECT_FALSE(flips_.read(64, 0).found());
}

TEST_F(DeviceMemory, IsWholeAgainWhereAWordIsWritten) {
  EXPECT_FALSE(flips_.write(64, strobe_of(8, 16)).found());
  EXPECT_FALSE(flips_.write(128, ~std::uint64_t{0}).found());
  EXPECT_FALSE(flips_.any());
}

TEST_F(DeviceMemory, CorrectsTheRestOfAWordThatIsWrittenInPart) {
  EXPECT_EQ(flips_.write(64, strobe_of(9, 10)).corrected, 1U);
  EXPECT_FALSE(flips_.read(64, 64).found());
  EXPECT_EQ(flips_.write(128, strobe_of(0, 7)).corrected, 0U);
  EXPECT_EQ(flips_.read(128, 64).lost, 16U);
}

TEST_F(DeviceMemory, IsWrittenFromAnyByteOn) {
  EXPECT_EQ(flips_.write_bytes(73, 60).corrected, 1U);
  EXPECT_EQ(flips_.read(0, 256).lost, 16U);
  EXPECT_FALSE(flips_.write_bytes(73, 63).found());
  EXPECT_FALSE(flips_.any());
}

}  // namespace
}  // namespace ppu::hw::test
