// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Bits and words of a Verilated port of any width; Verilator keeps them in little-endian order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ppu::hw {

template <class Port>
std::uint32_t port_word(const Port& port, std::size_t index) {
  std::uint32_t word = 0;
  const std::size_t first = index * sizeof word;
  const std::size_t size = sizeof port - first < sizeof word ? sizeof port - first : sizeof word;
  std::memcpy(&word, reinterpret_cast<const char*>(&port) + first, size);
  return word;
}

template <class Port>
bool port_bit(const Port& port, std::size_t index) {
  return (port_word(port, index / 32) >> (index % 32) & 1U) != 0;
}

}  // namespace ppu::hw
