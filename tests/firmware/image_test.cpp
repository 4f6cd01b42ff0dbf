// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Image bytes, hostile image bytes, and images that are no programs.
#include "firmware/assembler/image.hpp"

#include <gtest/gtest.h>

#include "base/bits/crc32c.hpp"
#include "firmware/assembler/disassembler.hpp"

namespace ppu::firmware {
namespace {

std::vector<std::byte> good_bytes() {
  return to_bytes(assemble("test.s", "kernel k\nhalt\n.kernel k\nldrow r\n.end\n").image);
}

void set_word(std::vector<std::byte>& bytes, std::size_t index, std::uint32_t word) {
  for (std::size_t i = 0; i < 4; ++i) {
    bytes.at(4 * index + i) = static_cast<std::byte>(word >> 8U * i & 0xffU);
  }
}

/// What from_bytes says; "version: " before it if the image is of another specification.
std::string refusal(const std::vector<std::byte>& bytes) {
  try {
    from_bytes(bytes.data(), bytes.size());
  } catch (const ImageError& error) {
    return (error.version ? "version: " : "") + std::string(error.what());
  }
  return "accepted";
}

std::string refusal_of_words(std::vector<std::uint32_t> words) {
  try {
    disassemble({PPU_SPEC_HASH, std::move(words)});
  } catch (const ImageError& error) {
    EXPECT_FALSE(error.version);
    return error.what();
  }
  return "accepted";
}

TEST(ImageBytes, AreLittleEndianWithAHeader) {
  const std::vector<std::byte> bytes = to_bytes({0x11223344, {0xaabbccdd}});
  const std::vector<int> expected = {'P',  'P',  'U', 'F', 2, 0, 0,    0,    0x44, 0x33,
                                     0x22, 0x11, 1,   0,   0, 0, 0xdd, 0xcc, 0xbb, 0xaa};
  ASSERT_EQ(bytes.size(), expected.size() + 4) << "the checksum";
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(std::to_integer<int>(bytes[i]), expected[i]) << i;
  }
}

TEST(ImageBytes, RoundTrip) {
  const Image image = assemble("test.s", "l: li a0, -1\nj l\n").image;
  const std::vector<std::byte> bytes = to_bytes(image);
  EXPECT_EQ(from_bytes(bytes.data(), bytes.size()), image);
}

TEST(ImageBytes, CutShortAreRefusedAtEveryLength) {
  std::vector<std::byte> bytes = good_bytes();
  while (!bytes.empty()) {
    bytes.pop_back();
    EXPECT_NE(refusal(bytes), "accepted") << bytes.size();
  }
  EXPECT_EQ(refusal({}), "not a program image: it does not begin with 'PPUF'");
  EXPECT_THROW(from_bytes(nullptr, 0), ImageError);
}

TEST(ImageBytes, SayWhatIsWrongWithThem) {
  std::vector<std::byte> bytes = good_bytes();
  bytes.resize(12);
  EXPECT_EQ(refusal(bytes), "program image cut short: 12 bytes, the header alone has 16");
  bytes = good_bytes();
  bytes.pop_back();
  EXPECT_EQ(refusal(bytes), "program image has 35 bytes, expected 36 for 4 words");
  bytes = good_bytes();
  bytes.emplace_back();
  EXPECT_EQ(refusal(bytes), "program image has 37 bytes, expected 36 for 4 words");
  bytes = good_bytes();
  bytes[0] = std::byte{'Q'};
  EXPECT_EQ(refusal(bytes), "not a program image: it does not begin with 'PPUF'");
  bytes = good_bytes();
  set_word(bytes, 1, 1);
  EXPECT_EQ(refusal(bytes), "version: program image has format version 1, expected 2");
}

TEST(ImageBytes, AreRefusedWithAnyBitFlipped) {
  const std::vector<std::byte> good = to_bytes(
      assemble("test.s", "kernel k\nrows zero, a0\nwait\nhalt\n.kernel k\nldrow r\n.end\n").image);
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::vector<std::byte> bytes = good;
    bytes[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    EXPECT_NE(refusal(bytes), "accepted") << "bit " << bit;
  }
}

TEST(Crc32c, IsThatOfTheStandard) {
  EXPECT_EQ(crc32c("123456789", 9), 0xe3069283U);
  EXPECT_EQ(crc32c("", 0), 0U);
}

TEST(ImageBytes, OfAnotherSpecificationAreAVersionError) {
  std::vector<std::byte> bytes = good_bytes();
  set_word(bytes, 2, 0x12345678);
  EXPECT_NE(refusal(bytes).find("version: program image was made for specification 0x12345678"),
            std::string::npos)
      << refusal(bytes);
}

TEST(ImageBytes, WithAHostileWordCountAllocateNothing) {
  std::vector<std::byte> bytes = good_bytes();
  set_word(bytes, 3, 0xffffffff);
  EXPECT_EQ(refusal(bytes), "program image says it has 4294967295 words, expected 1 to 65536");
  set_word(bytes, 3, 0);
  EXPECT_EQ(refusal(bytes), "program image says it has 0 words, expected 1 to 65536");
}

TEST(Disassembly, RefusesUnknownOpcodes) {
  EXPECT_EQ(refusal_of_words({0x7f000000, 0}),
            "word 0 (0x7f000000): no instruction has this opcode");
  EXPECT_EQ(refusal_of_words({0, 0xf0000000, 0xff000000}),
            "word 1 (0xf0000000): no kernel operation has this opcode");
}

TEST(Disassembly, RefusesBitsThatTheTablesDoNotGive) {
  EXPECT_EQ(refusal_of_words({0x00000001}),
            "word 0 (0x00000001): bits that its instruction does not have; it is encoded "
            "0x00000000");
  EXPECT_EQ(refusal_of_words({0, 0x80000800, 0xff000000}),
            "word 1 (0x80000800): bits that its instruction does not have; it is encoded "
            "0x80000000");
  EXPECT_EQ(refusal_of_words({0, 0x80000000, 0xff000001}),
            "word 2 (0xff000001): bits that its instruction does not have; it is encoded "
            "0xff000000");
}

TEST(Disassembly, RefusesBranchesThatLeaveTheControlCode) {
  EXPECT_EQ(refusal_of_words({0x08000002, 0}),
            "word 0 (0x08000002): j goes to word 2, where no control instruction is");
  EXPECT_EQ(refusal_of_words({0x10000002, 0, 0x80000000, 0x81000000, 0xff000000}).substr(0, 8),
            "accepted");
  EXPECT_EQ(refusal_of_words({0x10000003, 0, 0x80000000, 0x81000000, 0xff000000}),
            "word 0 (0x10000003): kernel goes to word 3, where no kernel begins");
}

TEST(Disassembly, RefusesKernelsThatAreNotLastOrNotClosed) {
  EXPECT_EQ(refusal_of_words({0, 0x80000000, 0xff000000, 0}),
            "word 3 (0x00000000): control code behind a kernel");
  EXPECT_EQ(refusal_of_words({0, 0x80000000}), "word 1 (0x80000000): a kernel without `.end`");
}

TEST(Disassembly, RefusesWhatTheRowPipeCannotDo) {
  EXPECT_EQ(refusal_of_words({0, 0x80000000, 0x99000200, 0xff000000}),
            "word 2 (0x99000200): `x` is not defined; operand 1 of `stimp` must be x, a result of "
            "`max`, `med`, `mov` or `limit`");
  EXPECT_EQ(refusal_of_words({0x12000000}),
            "word 0 (0x12000000): the control code runs past its last instruction");
}

TEST(Disassembly, RefusesEmptyAndEndlessImages) {
  EXPECT_EQ(refusal_of_words({}), "image has 0 words, expected 1 to 65536");
  EXPECT_EQ(refusal_of_words(std::vector<std::uint32_t>(65537)),
            "image has 65537 words, expected 1 to 65536");
}

}  // namespace
}  // namespace ppu::firmware
