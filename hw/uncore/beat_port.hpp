// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A port that several masters share: one of them has it in a cycle, and who waits keeps it. The
// arbiter of device memory and the two ports of the host link are of this kind.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "hw/contract/trace.hpp"
#include "hw/uncore/beats.hpp"

namespace ppu::hw {

class BeatPort {
 public:
  /// Whose turn it is when several ask: the first one's always, or that of the one behind the last.
  enum class Turn : std::uint8_t { kFirst, kRoundRobin };
  /// Accepted beats are events of `kind`; `trace` may be null.
  BeatPort(Turn turn, TraceKind kind, TraceSink* trace) : turn_(turn), kind_(kind), trace_(trace) {}

  void connect(BeatSlave& slave, std::vector<BeatMaster*> masters);

  /// What became of the requests of a cycle.
  enum class Taken : std::uint8_t { kNone, kWaits, kAccepted, kAcceptedPair };
  Taken take(std::uint64_t cycle);
  /// Hands on the answers whose cycles are known now, `least` or later.
  void learn(std::uint64_t least);
  /// What was wrong with the beat that is answered in `cycle`.
  MemoryFlaw take_flaw(std::uint64_t cycle);
  /// The next cycle after `now`, the last one taken, in which a request that waits may be accepted,
  /// or there is a flaw to take.
  [[nodiscard]] std::uint64_t next_event(std::uint64_t now) const;
  /// There are beats whose answers are not known.
  [[nodiscard]] bool waits() const { return slave_->waits(); }
  /// As after power-on.
  void reset();

 private:
  /// The one whose request is next; the number of masters if there is none.
  [[nodiscard]] std::size_t pick(std::uint64_t cycle) const;

  Turn turn_;
  TraceKind kind_;
  TraceSink* trace_;
  BeatSlave* slave_ = nullptr;
  std::vector<BeatMaster*> masters_;
  struct FlawedAnswer {
    std::uint64_t cycle;
    MemoryFlaw flaw;
  };
  std::deque<FlawedAnswer> flaws_;  ///< That will come.
  std::size_t first_ = 0;           ///< Whose turn it is.
  std::size_t waiting_ = 0;         ///< Who keeps the port; the number of masters if nobody does.
};

}  // namespace ppu::hw
