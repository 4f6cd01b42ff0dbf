// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "firmware/assembler/image.hpp"

#include <cstring>

#include "base/bits/crc32c.hpp"
#include "firmware/assembler/encoding.hpp"

namespace ppu::firmware {
namespace {

constexpr std::uint32_t kMagic = 0x46555050;  // 'PPUF'
constexpr std::uint32_t kFormatVersion = 2;
constexpr std::size_t kHeaderWords = 4;
constexpr std::size_t kChecksumWords = 1;

void append(std::vector<std::byte>& bytes, std::uint32_t word) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    bytes.push_back(static_cast<std::byte>(word >> shift & 0xffU));
  }
}

std::uint32_t word_at(const void* data, std::size_t index) {
  unsigned char b[4];
  std::memcpy(b, static_cast<const unsigned char*>(data) + 4 * index, sizeof b);
  return b[0] | std::uint32_t{b[1]} << 8U | std::uint32_t{b[2]} << 16U | std::uint32_t{b[3]} << 24U;
}

}  // namespace

std::vector<std::byte> to_bytes(const Image& image) {
  std::vector<std::byte> bytes;
  append(bytes, kMagic);
  append(bytes, kFormatVersion);
  append(bytes, image.spec_hash);
  append(bytes, static_cast<std::uint32_t>(image.words.size()));
  for (const std::uint32_t word : image.words) append(bytes, word);
  append(bytes, crc32c(bytes.data(), bytes.size()));
  return bytes;
}

Image from_bytes(const void* data, std::size_t size_bytes) {
  if (size_bytes < 4 || word_at(data, 0) != kMagic) {
    throw ImageError("not a program image: it does not begin with 'PPUF'", false);
  }
  if (size_bytes < 4 * kHeaderWords) {
    throw ImageError("program image cut short: " + std::to_string(size_bytes) +
                         " bytes, the header alone has " + std::to_string(4 * kHeaderWords),
                     false);
  }
  if (word_at(data, 1) != kFormatVersion) {
    throw ImageError("program image has format version " + std::to_string(word_at(data, 1)) +
                         ", expected " + std::to_string(kFormatVersion),
                     true);
  }
  Image image;
  image.spec_hash = word_at(data, 2);
  if (image.spec_hash != PPU_SPEC_HASH) {
    throw ImageError("program image was made for specification " + hex_word(image.spec_hash) +
                         ", this is " + hex_word(PPU_SPEC_HASH) + "; assemble it again",
                     true);
  }
  const std::size_t words = word_at(data, 3);
  if (words == 0 || words > kMaxWords) {
    throw ImageError("program image says it has " + std::to_string(words) +
                         " words, expected 1 to " + std::to_string(kMaxWords),
                     false);
  }
  const std::size_t expected = 4 * (kHeaderWords + words + kChecksumWords);
  if (size_bytes != expected) {
    throw ImageError("program image has " + std::to_string(size_bytes) + " bytes, expected " +
                         std::to_string(expected) + " for " + std::to_string(words) + " words",
                     false);
  }
  const std::uint32_t stored = word_at(data, kHeaderWords + words);
  const std::uint32_t found = crc32c(data, 4 * (kHeaderWords + words));
  if (found != stored) {
    throw ImageError("program image is damaged: its content has checksum " + hex_word(found) +
                         ", it says " + hex_word(stored),
                     false);
  }
  for (std::size_t i = 0; i < words; ++i) image.words.push_back(word_at(data, kHeaderWords + i));
  return image;
}

}  // namespace ppu::firmware
