// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// CRC32C (Castagnoli), as of iSCSI: it tells any single bit, any three and any burst of 32 of what
// it was made of.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ppu {

/// The remainders of all bytes; the polynomial has its highest power in bit 0.
constexpr std::array<std::uint32_t, 256> crc32c_remainders() {
  constexpr std::uint32_t kPolynomial = 0x82f63b78;
  std::array<std::uint32_t, 256> remainders{};
  for (std::uint32_t byte = 0; byte < remainders.size(); ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = rest >> 1U ^ ((rest & 1U) != 0 ? kPolynomial : 0);
    remainders[byte] = rest;
  }
  return remainders;
}

class Crc32c {
 public:
  void add(const void* data, std::size_t size_bytes) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size_bytes; ++i)
      rest_ = kTable[(rest_ ^ bytes[i]) & 0xffU] ^ rest_ >> 8U;
  }
  [[nodiscard]] std::uint32_t value() const { return ~rest_; }

 private:
  static constexpr std::array<std::uint32_t, 256> kTable = crc32c_remainders();

  std::uint32_t rest_ = ~std::uint32_t{0};
};

inline std::uint32_t crc32c(const void* data, std::size_t size_bytes) {
  Crc32c crc;
  crc.add(data, size_bytes);
  return crc.value();
}

}  // namespace ppu
