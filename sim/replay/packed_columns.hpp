// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Numbers on their way into a page: columns of integers, as differences, byte plane by byte plane,
// with a JSON head, deflated and in base64. sim/replay/page/unpack.js reads them.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ppu::sim {

/// The upper `kept` bits of a float, rounded: 16 hold two digits, 24 hold five.
std::uint32_t rounded_bits(float value, unsigned kept);

/// zlib stream of `bytes` in base64.
std::string deflated_base64(std::string_view bytes);

/// A head and columns. Block: length of the head (4 bytes, lowest first), the head with the list
/// `columns` (name, bytes per number, count, stride), their bytes.
class PackedColumns {
 public:
  explicit PackedColumns(nlohmann::ordered_json head) : head_(std::move(head)) {}

  /// Appends a column. Each number is kept as its difference, modulo 2^bits, from the one `stride`
  /// before it (0: as it is): what changes little from frame to frame becomes small. The lowest
  /// bytes of all differences come first, then the next ones.
  template <class Number>
  void add(const std::string& name, const std::vector<Number>& numbers, std::size_t stride = 0) {
    std::vector<std::uint32_t> bits(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto before = stride > 0 && i >= stride ? numbers[i - stride] : Number{0};
      bits[i] = static_cast<std::uint32_t>(numbers[i]) - static_cast<std::uint32_t>(before);
    }
    add_planes(name, bits, sizeof(Number), stride);
  }

  /// The block, deflated, in base64.
  [[nodiscard]] std::string block() const;

 private:
  void add_planes(const std::string& name, const std::vector<std::uint32_t>& bits,
                  std::size_t number_bytes, std::size_t stride);

  nlohmann::ordered_json head_;
  std::string bytes_;
};

}  // namespace ppu::sim
