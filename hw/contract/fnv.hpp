// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// FNV-1a, 64 bits: the hash of configurations and of solved states.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ppu::hw {

class Fnv1a {
 public:
  void add(const void* data, std::size_t size_bytes) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size_bytes; ++i) value_ = (value_ ^ bytes[i]) * 0x100000001b3U;
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

}  // namespace ppu::hw
