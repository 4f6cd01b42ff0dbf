// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/contract/device_memory_flips.hpp"

#include <algorithm>

#include "hw/contract/host_records.hpp"

namespace ppu::hw {
namespace {

constexpr std::uint32_t kWords = spec::kBeatBytes / DeviceMemoryFlips::kWordBytes;

}  // namespace

MemoryFlaw DeviceMemoryFlips::read(std::uint32_t address, std::uint64_t bytes) const {
  MemoryFlaw flaw;
  if (bytes == 0) return flaw;
  const std::uint32_t first = beat_address(address) / kWordBytes;
  const std::uint64_t end =
      first + kWords * std::uint64_t{beats_of(address % spec::kBeatBytes + bytes)};
  for (auto word = flips_.lower_bound(first); word != flips_.end() && word->first < end; ++word) {
    if (!word->second)
      ++flaw.corrected;
    else if (flaw.lost == PPU_NONE)
      flaw.lost = word->first;
  }
  return flaw;
}

MemoryFlaw DeviceMemoryFlips::write(std::uint32_t address, std::uint64_t strobe) {
  constexpr std::uint64_t kWhole = 0xff;
  MemoryFlaw flaw;
  for (std::uint32_t n = 0; n < kWords && any(); ++n) {
    const std::uint64_t bytes = strobe >> (n * kWordBytes) & kWhole;
    const auto word = flips_.find(address / kWordBytes + n);
    if (bytes == 0 || word == flips_.end() || (word->second && bytes != kWhole)) continue;
    flaw.corrected += bytes == kWhole ? 0 : 1;
    flips_.erase(word);
  }
  return flaw;
}

MemoryFlaw DeviceMemoryFlips::write_bytes(std::uint32_t address, std::uint64_t bytes) {
  MemoryFlaw flaw;
  for (std::uint64_t left = bytes; left > 0 && any();) {
    const std::uint32_t begin = address % spec::kBeatBytes;
    const auto end =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(begin + left, spec::kBeatBytes));
    flaw.corrected += write(beat_address(address), strobe_of(begin, end)).corrected;
    address += end - begin;
    left -= end - begin;
  }
  return flaw;
}

}  // namespace ppu::hw
