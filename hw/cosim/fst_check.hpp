// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Whether an FST file is complete: the library that writes them says nothing of a full disk. Its
// blocks must follow each other up to the end of the file, and the one that it writes last must
// hold as much as it says.
#pragma once

#include <gtkwave/fstapi.h>

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

namespace ppu::hw {

/// The bytes of a file one after another.
class FstBytes {
 public:
  explicit FstBytes(const std::string& path) : file_(path, std::ios::binary) {}

  [[nodiscard]] bool at_end() { return file_.peek() == std::ifstream::traits_type::eof(); }
  /// More was asked for than there is.
  [[nodiscard]] bool cut() const { return !file_; }
  /// 0 if there is none.
  std::uint64_t byte() {
    const int value = file_.get();
    return cut() ? 0 : static_cast<std::uint64_t>(value);
  }
  void skip(std::uint64_t count) {
    const auto size = static_cast<std::streamsize>(count);
    file_.ignore(size);
    if (file_.gcount() != size) file_.setstate(std::ios::failbit);
  }
  /// 8 bytes, the highest first.
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value = value << 8U | byte();
    return value;
  }
  /// 7 bits of each byte, the lowest first, up to a byte without its highest bit.
  std::uint64_t short_number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint64_t part = byte();
      value |= (part & 0x7fU) << shift;
      if (part < 0x80U) break;
    }
    return value;
  }

 private:
  std::ifstream file_;
};

/// How many bytes the LZ4 data up to the end unpack to; nothing if they are cut off.
inline std::optional<std::uint64_t> unpacked_size(FstBytes& bytes) {
  constexpr std::uint64_t kLong = 15, kMore = 255, kLeastMatch = 4;
  const auto length = [&bytes](std::uint64_t count) {
    if (count < kLong) return count;
    std::uint64_t more = 0;
    do {
      more = bytes.byte();
      count += more;
    } while (more == kMore);
    return count;
  };
  std::uint64_t size = 0;
  while (!bytes.cut()) {
    // Bytes as they are, then a place to repeat bytes from; the last ones are as they are.
    const std::uint64_t token = bytes.byte();
    const std::uint64_t plain = length(token >> 4U);
    bytes.skip(plain);
    size += plain;
    if (!bytes.cut() && bytes.at_end()) return size;
    bytes.skip(sizeof(std::uint16_t));
    size += length(token & kLong) + kLeastMatch;
  }
  return std::nullopt;
}

/// True if all of the file is there.
inline bool is_whole_fst(const std::string& path) {
  constexpr std::uint64_t kSizeBytes = 8;
  FstBytes bytes(path);
  bool geometry = false;
  while (!bytes.cut()) {
    // A block has a kind, its size behind the kind, and what the kind says. The hierarchy is last.
    const std::uint64_t kind = bytes.byte();
    const std::uint64_t size = bytes.number();
    if (bytes.cut() || kind == FST_BL_SKIP || size < kSizeBytes) return false;
    if (kind == FST_BL_HIER_LZ4 || kind == FST_BL_HIER_LZ4DUO) {
      std::uint64_t expected = bytes.number();
      if (kind == FST_BL_HIER_LZ4DUO) expected = bytes.short_number();
      return geometry && unpacked_size(bytes) == expected;
    }
    geometry = geometry || kind == FST_BL_GEOM;
    bytes.skip(size - kSizeBytes);
  }
  return false;
}

}  // namespace ppu::hw
