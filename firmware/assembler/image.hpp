// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A program image: the words of instruction memory with the hash of the specification they were
// made for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace ppu::firmware {

class ImageError : public std::runtime_error {
 public:
  ImageError(const std::string& what, bool other_version)
      : std::runtime_error(what), version(other_version) {}
  bool version;  ///< A program image, but made from another specification.
};

struct Image {
  std::uint32_t spec_hash = 0;
  std::vector<std::uint32_t> words;
  friend bool operator==(const Image& a, const Image& b) {
    return a.spec_hash == b.spec_hash && a.words == b.words;
  }
};

/// Little-endian: 'PPUF', format version 2, spec hash, word count, words, CRC32C of all before it.
std::vector<std::byte> to_bytes(const Image& image);
/// Throws ImageError: not an image, cut short, trailing bytes, damaged, or made from another
/// specification.
Image from_bytes(const void* data, std::size_t size_bytes);

}  // namespace ppu::firmware
