// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Numbers on their way into a page.
#include "sim/replay/packed_columns.hpp"

#include <zlib.h>

#include <stdexcept>

#include "base/bits/float_bits.hpp"

namespace ppu::sim {
namespace {

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  const int result =
      compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), Z_BEST_COMPRESSION);
  if (result != Z_OK) throw std::runtime_error("zlib: no memory to deflate a report");
  out.resize(size);
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : kDigits[group >> (18 - 6 * k) & 63U];
  }
  return text;
}

}  // namespace

std::uint32_t rounded_bits(float value, unsigned kept) {
  return (bits_of(value) + (1U << (31 - kept))) >> (32 - kept);
}

std::string deflated_base64(std::string_view bytes) {
  return base64(deflated(bytes));
}

void PackedColumns::add_planes(const std::string& name, const std::vector<std::uint32_t>& bits,
                               std::size_t number_bytes, std::size_t stride) {
  head_["columns"].push_back(
      {{"name", name}, {"bytes", number_bytes}, {"count", bits.size()}, {"stride", stride}});
  for (std::size_t plane = 0; plane < number_bytes; ++plane)
    for (const std::uint32_t number : bits)
      bytes_ += static_cast<char>(number >> (8 * plane) & 0xFFU);
}

std::string PackedColumns::block() const {
  const std::string head = head_.dump();
  std::string bytes;
  for (std::size_t plane = 0; plane < 4; ++plane)
    bytes += static_cast<char>(head.size() >> (8 * plane) & 0xFFU);
  return deflated_base64(bytes + head + bytes_);
}

}  // namespace ppu::sim
