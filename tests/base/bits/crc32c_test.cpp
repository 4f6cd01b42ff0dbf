// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "base/bits/crc32c.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace ppu {
namespace {

// RFC 3720, B.4, and the check value of the catalogues.
TEST(Crc32c, IsThatOfTheStandard) {
  EXPECT_EQ(crc32c("123456789", 9), 0xe3069283U);
  unsigned char bytes[32] = {};
  EXPECT_EQ(crc32c(bytes, sizeof bytes), 0x8a9136aaU);
  std::memset(bytes, 0xff, sizeof bytes);
  EXPECT_EQ(crc32c(bytes, sizeof bytes), 0x62a8ab43U);
  for (unsigned char i = 0; i < 32; ++i) bytes[i] = i;
  EXPECT_EQ(crc32c(bytes, sizeof bytes), 0x46dd794eU);
  EXPECT_EQ(crc32c(bytes, 0), 0U);
}

TEST(Crc32c, IsTheSameOfAllPieces) {
  const std::string text = "what comes in pieces is as what comes at once";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Crc32c crc;
    crc.add(text.data(), cut);
    crc.add(text.data() + cut, text.size() - cut);
    EXPECT_EQ(crc.value(), crc32c(text.data(), text.size())) << cut;
  }
}

// A remainder is linear: that of a byte is the sum of those of its bits.
TEST(Crc32c, HasARemainderOfEachByte) {
  const auto remainders = crc32c_remainders();
  EXPECT_EQ(remainders[0], 0U);
  EXPECT_EQ(remainders[0x80], 0x82f63b78U);
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t sum = 0;
    for (std::uint32_t bit = 1; bit < 256; bit *= 2) sum ^= (byte & bit) != 0 ? remainders[bit] : 0;
    EXPECT_EQ(remainders[byte], sum) << byte;
  }
}

}  // namespace
}  // namespace ppu
