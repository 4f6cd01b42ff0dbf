// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Flipped bits in device memory, whose controller keeps 8 check bits beside every 8 bytes if the
// device has memory_protection=1. As in an engine, the model keeps no check bits: a word with one
// flipped bit reads as it was written and counts, one with two is lost.
#pragma once

#include <cstdint>
#include <map>

#include "hw/contract/run.hpp"

namespace ppu::hw {

/// What the controller found in words that were accessed.
struct MemoryFlaw {
  std::uint32_t corrected = 0;    ///< Words with one flipped bit.
  std::uint32_t lost = PPU_NONE;  ///< The first word with two, or PPU_NONE.

  [[nodiscard]] bool found() const { return corrected > 0 || lost != PPU_NONE; }
};

class DeviceMemoryFlips {
 public:
  /// Bytes of a word; word n is at address n * 8, which has 32 bits.
  static constexpr std::uint32_t kWordBytes = 8;

  /// Bits of the word flip now: one, or two. Numbers of words have 29 bits.
  void flip(std::uint32_t word, bool two) { flips_[word % (1U << 29U)] = two; }
  [[nodiscard]] bool any() const { return !flips_.empty(); }
  /// Beats are read: those in which the bytes from `address` on are.
  [[nodiscard]] MemoryFlaw read(std::uint32_t address, std::uint64_t bytes) const;
  /// A beat is written, the bytes of `strobe`. A word of which all bytes are is whole again. Of
  /// another one the controller reads the rest, and corrects it; a lost one stays lost.
  MemoryFlaw write(std::uint32_t address, std::uint64_t strobe);
  /// The same of any number of bytes.
  MemoryFlaw write_bytes(std::uint32_t address, std::uint64_t bytes);
  void clear() { flips_.clear(); }

 private:
  std::map<std::uint32_t, bool> flips_;  ///< Words; true if they are lost.
};

}  // namespace ppu::hw
