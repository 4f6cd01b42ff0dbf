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
#include "ppu/hw/row_records.hpp"

namespace ppu::hw {

class RowStream {
 public:
  RowStream(const Config& config, const RowRecords& records, EnginePort& port);

  /// A pass over rows [first, first + count) executed in `cycle`.
  void queue_pass(std::uint64_t cycle, std::uint32_t first, std::uint32_t count);

  enum class Arrival {
    kThere,
    kAwaited,  ///< The port waits for it.
    kMissed,   ///< It was not requested in time.
  };
  /// The next row in order, in `slot`; `opens` says that it is the first one of its pass.
  Arrival arrival(std::uint32_t slot, bool opens);
  /// Takes that row, which is there: the cycle from which it is before the issue stage.
  std::uint64_t take(std::uint32_t slot, bool opens);
  /// The row in `slot` issued or was passed over in `cycle`.
  void gone(std::uint32_t slot, std::uint64_t cycle);

  /// No row is needed any more: true when all responses have come; else the port waits for them.
  bool drain();
  /// The cycle after the last response so far.
  [[nodiscard]] std::uint64_t drained() const { return drained_; }
  /// Beats that were accepted so far, if none is requested any more.
  [[nodiscard]] std::uint64_t accepted_beats() const { return beats_ - port_.dropped; }

 private:
  struct Pass {
    std::uint64_t from;  ///< Requested from this cycle on.
    std::uint32_t first, next, end;
  };
  /// Posts the requests whose places are known to become free.
  void post();

  EnginePort& port_;
  const RowRecords& records_;
  std::uint32_t pipes_;
  std::uint64_t release_;  ///< Cycles from the issue of a row until its place is free.
  std::deque<Pass> passes_;
  /// For each pipe's part of the row memory, the cycles from which places are free, oldest first.
  std::vector<std::deque<std::uint64_t>> free_;
  std::uint64_t earliest_ = 0;  ///< No request stands before the one before it.
  std::uint64_t beats_ = 0;     ///< Posted so far.
  std::uint64_t drained_ = 0;
};

}  // namespace ppu::hw
