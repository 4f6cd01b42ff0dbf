// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The responses that a simulated memory owes to the RTL, in order, with the cycles in which they
// come. Allocates nothing.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "hw/uncore/beat_channel.hpp"

namespace ppu::hw {

class ResponseQueue {
 public:
  /// Adds a response for `cycle`; returns where its data goes.
  Beat& push(std::uint64_t cycle) {
    if (last_ - first_ == kMost)
      throw std::runtime_error("RTL device: too many requests under way in cycle " +
                               std::to_string(cycle));
    Entry& entry = entries_[last_++ % kMost];
    entry.cycle = cycle;
    return entry.beat;
  }
  /// Takes the response of `cycle`; null if there is none.
  const Beat* take(std::uint64_t cycle) {
    if (first_ == last_ || entries_[first_ % kMost].cycle != cycle) return nullptr;
    return &entries_[first_++ % kMost].beat;
  }

 private:
  static constexpr std::size_t kMost = 2 * most_under_way();  // all of them pairs
  struct Entry {
    std::uint64_t cycle = 0;
    Beat beat{};
  };
  std::array<Entry, kMost> entries_;
  std::size_t first_ = 0, last_ = 0;
};

}  // namespace ppu::hw
