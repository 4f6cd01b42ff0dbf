// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Streamed rows of a timed engine: requests their records pass by pass, as soon as the row
// memory has a place, and tells when each is before the issue stage (docs/inside/device.md,
// Engine).
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "hw/contract/config.hpp"
#include "hw/contract/engine_port.hpp"
#include "hw/contract/row_records.hpp"

namespace ppu::hw {

/// Cycles from the execution of `rows` (resident rows) or from the arrival of its record (streamed
/// ones) until a row is before the issue stage.
inline constexpr std::uint64_t kFetchCycles = 3;

class RowStream {
 public:
  /// `gated`: beats come with copies behind the run, see EnginePort::capture().
  RowStream(const Config& config, const RowRecords& records, EnginePort& port, bool gated);

  [[nodiscard]] bool is_gated() const { return gated_; }

  /// A pass over rows [first, first + count) executed in `cycle`.
  void queue_pass(std::uint64_t cycle, std::uint32_t first, std::uint32_t count);

  /// Takes back the pass that was queued last: no request of it has been accepted.
  void drop_pass();

  enum class Arrival {
    kThere,
    kAwaited,  ///< The port waits for it.
    kMissed,   ///< It does not come before the limit.
  };
  /// The next row in order, in `slot`; `opens` says that it is the first one of its pass.
  Arrival arrival(std::uint32_t slot, bool opens);
  /// The cycle from which that row, which is there, is before the issue stage.
  [[nodiscard]] std::uint64_t before_issue(std::uint32_t slot, bool opens) const;
  /// That row issued or was passed over in `cycle`.
  void gone(std::uint32_t slot, bool opens, std::uint64_t cycle);

  // Where rows do not go in their order:
  /// The next row in order: the cycle from which it is before the issue stage, if that is known.
  std::optional<std::uint64_t> take(std::uint32_t slot, bool opens);
  /// `count` places of a pipe are free from `cycle` on.
  void release(std::uint32_t pipe, std::uint32_t count, std::uint64_t cycle);
  /// Of rows that are before the issue stage before this cycle it is known: time is in cycle `now`.
  [[nodiscard]] std::uint64_t known_until(std::uint64_t now) const;

  /// No row is needed any more: true when all responses have come; else the port waits for them.
  bool drain();
  /// The cycle after the last response so far.
  [[nodiscard]] std::uint64_t drained() const { return drained_; }
  /// Beats that have been taken so far.
  [[nodiscard]] std::uint64_t beats() const { return beats_; }

  /// Nothing is requested anew from `cycle` on.
  void set_limit(std::uint64_t cycle) { limit_ = cycle; }
  /// The cycle in which expire() is to be called; never, if it has been.
  [[nodiscard]] std::uint64_t limit() const { return expired_ ? kNever : limit_; }
  /// The limit has come.
  void expire();

 private:
  struct Pass {
    std::uint64_t from;  ///< Requested from this cycle on.
    std::uint32_t first, next, end;
  };
  /// Posts the requests whose places are known to become free.
  void post();
  /// Takes responses that are there.
  void take_beats(std::size_t count);

  EnginePort& port_;
  const RowRecords& records_;
  std::uint32_t pipes_;
  bool pairs_;  ///< The port moves two beats in a cycle.
  bool gated_;
  std::uint64_t release_;  ///< Cycles from the issue of a row until its place is free.
  std::deque<Pass> passes_;
  /// For each pipe's part of the row memory, the cycles from which places are free, oldest first.
  std::vector<std::deque<std::uint64_t>> free_;
  std::uint64_t earliest_ = 0;  ///< No request stands before the one before it.
  std::uint64_t beats_ = 0;
  std::size_t posted_ = 0;  ///< Beats of the pass that was queued last.
  std::uint64_t drained_ = 0;
  std::uint64_t limit_ = kNever;
  bool expired_ = false;
};

}  // namespace ppu::hw
