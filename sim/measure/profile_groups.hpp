// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What groups of rows cost: those of a kind, of an island, of a body. Of a solve with a row
// profile.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/solve/solver.hpp"

namespace ppu::sim {

/// Cycles are those charged to the rows: their issue and the waits before it.
struct RowGroup {
  std::size_t rows = 0;
  std::uint64_t updates = 0;  ///< Row updates.
  std::uint64_t cycles = 0;
  double share = 0;  ///< Of the cycles of all runs, 0..1.
  /// The reason for which its rows waited longest, and its share of the group's cycles, 0..1; no
  /// name if they never waited.
  std::string top_stall;
  double top_stall_share = 0;

  [[nodiscard]] double cycles_per_row() const;  ///< Per row update.
  [[nodiscard]] double rows_per_cycle() const;
};

/// The rows of each kind that the problem has.
struct KindGroup {
  model::RowKind kind;
  RowGroup rows;
};
std::vector<KindGroup> kinds_of(const model::RowProblem& problem, const SolveResult& result);

/// The islands, most cycles first.
struct IslandGroup {
  std::size_t island;  ///< Numbered by their first bodies.
  std::size_t bodies;
  std::uint64_t chain_rows;  ///< Its longest chain, see chain_of_bodies().
  RowGroup rows;
};
std::vector<IslandGroup> islands_of(const model::RowProblem& problem, const SolveResult& result);

/// The bodies that rows name, most cycles first. A row on two bodies counts for both.
struct BodyGroup {
  std::size_t body;
  std::size_t island;
  RowGroup rows;
};
std::vector<BodyGroup> bodies_of(const model::RowProblem& problem, const SolveResult& result);

/// Cycles that are charged to no row: the program drains the pipe, or has no row pending.
std::uint64_t cycles_of_no_row(const SolveResult& result);

}  // namespace ppu::sim
