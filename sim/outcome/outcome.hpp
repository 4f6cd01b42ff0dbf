// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a device leaves of a piece of work: how it ended, reports, counters, memory.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ppu/ppu.h"

namespace ppu::sim {

using DeviceCounters = std::array<std::uint64_t, PPU_DEVICE_COUNTER_COUNT>;

/// Memory that was read back: an array of items, all of one size.
struct ReadBack {
  std::string item;  ///< For people: "impulse".
  std::size_t item_bytes = 0;
  std::vector<std::uint8_t> bytes;
};

ReadBack read_back(const std::string& item, std::size_t floats_per_item,
                   const std::vector<float>& values);

/// Everything in it is the same whenever the host happens to answer an interrupt.
struct Outcome {
  ppu_result result = PPU_OK;
  std::string error;  ///< What the driver says of work that did not end well, else empty.
  /// There was no end, or the device is not what it should be: it must not be used again.
  bool lost = false;
  std::uint64_t state_hash = 0;      ///< Of what was hashed; 0: nothing.
  std::vector<ppu_run_report> runs;  ///< Of a solve: all runs together.
  DeviceCounters counters{};         ///< Of the device, during the work.
  std::vector<ReadBack> memory;
  /// Device cycles of parts of the work, by name.
  std::vector<std::pair<std::string, std::uint64_t>> cycles;

  [[nodiscard]] bool ok() const { return error.empty(); }
  [[nodiscard]] std::uint64_t device_cycles() const {
    return counters[PPU_DEVICE_COUNTER_DEVICE_CYCLES];
  }
  [[nodiscard]] std::uint64_t row_updates() const;
};

/// Of a solve that ended well.
Outcome outcome_of(const ppu_solve_report& report, std::uint64_t state_hash);

}  // namespace ppu::sim
