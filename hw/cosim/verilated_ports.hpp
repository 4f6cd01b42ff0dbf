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

/// A port of type memory_request_t or link_write_t (rtl/spec/ppu_spec_pkg.sv): from bit 0 on a beat
/// of data, a strobe for each of its bytes, the number of the beat and, of a memory request,
/// whether it is a write, or a read of two beats.
template <class Port>
class BeatPort {
 public:
  explicit BeatPort(const Port& port) : port_(port) {}
  [[nodiscard]] const std::byte* data() const { return reinterpret_cast<const std::byte*>(&port_); }
  [[nodiscard]] std::uint64_t strobe() const {
    return port_word(port_, kStrobe) | std::uint64_t{port_word(port_, kStrobe + 1)} << 32U;
  }
  [[nodiscard]] std::uint32_t beat() const {
    return port_word(port_, kBeat) & ((1U << kBeatBits) - 1);
  }
  [[nodiscard]] bool write() const { return port_bit(port_, 32 * kBeat + kBeatBits); }
  [[nodiscard]] bool pair() const { return port_bit(port_, 32 * kBeat + kBeatBits + 1); }

 private:
  static constexpr std::size_t kStrobe = 16, kBeat = 18, kBeatBits = 26;
  static_assert(sizeof(Port) == 4 * (kBeat + 1));
  const Port& port_;
};

}  // namespace ppu::hw
