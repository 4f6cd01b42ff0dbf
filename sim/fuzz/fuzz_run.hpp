// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A case of the fuzz on one device, from the copies in to the counters.
#pragma once

#include <deque>
#include <vector>

#include "sim/fuzz/fuzz_bench.hpp"

namespace ppu::sim {

class FuzzRun {
 public:
  /// Loads the program and submits the list.
  FuzzRun(const Device& device, const FuzzCase& fuzz, const std::vector<std::byte>& image,
          bool reduced);
  /// Waits for its end.
  FuzzOutcome finish();

 private:
  struct Memory {
    Buffer rows, impulses, velocities;
  };
  void record(const FuzzCase& fuzz, bool reduced);
  /// The list fills its results only where it ends well.
  void read_memories();

  const Device& device_;
  Program program_;
  std::deque<Memory> memories_;
  Commands commands_;
  FuzzOutcome outcome_;
  std::uint32_t first_query_ = 0, last_query_ = 0;
  std::optional<Fence> fence_;
};

}  // namespace ppu::sim
