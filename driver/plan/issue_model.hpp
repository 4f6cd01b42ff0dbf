// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// When the rows of repeated sweeps issue on the row pipes of an engine: the rules of
// docs/inside/device.md for rows that are on chip, with a kernel that reads parents.
#pragma once

#include <cstdint>
#include <vector>

#include "driver/plan/row_graph.hpp"

namespace ppu::driver {

using Cycle = std::int64_t;

/// An engine, as far as the issue of rows depends on it. Body i is in bank i mod velocity_banks.
struct Machine {
  std::uint32_t pipes = 1;           ///< Slot s goes to pipe s mod pipes.
  std::uint32_t interval = 1;        ///< Cycles from row to row of a pipe.
  std::uint32_t latency = 1;         ///< Cycles from a row to the next one on its body.
  std::uint32_t velocity_banks = 1;  ///< Each takes one body per cycle.

  friend bool operator==(const Machine& a, const Machine& b) {
    return a.pipes == b.pipes && a.interval == b.interval && a.latency == b.latency &&
           a.velocity_banks == b.velocity_banks;
  }
};

/// Bank of each body.
class BankMap {
 public:
  BankMap(const RowGraph& graph, const Machine& machine);

  /// Banks that have bodies, or more.
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::uint32_t of(std::size_t body) const { return of_body_[body]; }
  /// True if both bodies of a row are dynamic and lie in one bank.
  [[nodiscard]] bool clash(const Bodies& body) const {
    return body[0] >= 0 && body[1] >= 0 &&
           of(static_cast<std::size_t>(body[0])) == of(static_cast<std::size_t>(body[1]));
  }

 private:
  std::size_t count_;
  std::vector<std::uint32_t> of_body_;
};

/// The steady state of sweeps run back to back, a sweep being one pass over all slots.
struct SteadyState {
  /// Cycles from the first issue of a sweep to the first issue of the next.
  Cycle period = 0;
  /// Issue of each row after the first issue of its sweep.
  std::vector<Cycle> issue;
};

/// Simulates a few sweeps of `order` and returns the last one.
SteadyState simulate(const RowGraph& graph, const RowOrder& order, const Machine& machine);

}  // namespace ppu::driver
