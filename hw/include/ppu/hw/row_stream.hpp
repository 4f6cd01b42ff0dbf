// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Streamed rows of a timed engine: requests their records pass by pass, as soon as the row
// memory has a place, and tells when each is before the issue stage (docs/device.md, Engine).
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "ppu/hw/config.hpp"
#include "ppu/hw/engine_port.hpp"
#include "ppu/hw/run.hpp"

namespace ppu::hw {

/// Cycles from the execution of `rows` (resident rows) or from the arrival of its record (streamed
/// ones) until a row is before the issue stage.
inline constexpr std::uint64_t kFetchCycles = 3;

class RowStream {
 public:
  RowStream(const Config& config, const RunCommand& command, EnginePort& port);

  /// A pass over rows [first, first + count) executed in `cycle`.
  void queue_pass(std::uint64_t cycle, std::uint32_t first, std::uint32_t count);
  /// True if the record of the next row in order has arrived; else the port waits for it.
  bool arrived();
  /// Takes it: the cycle from which it is before the issue stage.
  std::uint64_t take();
  /// The row in `slot` issued in `cycle`.
  void issued(std::uint32_t slot, std::uint64_t cycle);

 private:
  struct Pass {
    std::uint64_t from;  ///< Requested from this cycle on.
    std::uint32_t next, end;
  };
  /// Posts the requests whose places are known to become free.
  void post();

  EnginePort& port_;
  std::uint32_t rows_address_;
  std::uint32_t pipes_;
  std::uint64_t release_;  ///< Cycles from the issue of a row until its place is free.
  std::deque<Pass> passes_;
  /// For each pipe's part of the row memory, the cycles from which places are free, oldest first.
  std::vector<std::deque<std::uint64_t>> free_;
};

}  // namespace ppu::hw
