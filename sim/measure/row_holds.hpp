// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What holds rows back: the row before them on one of their bodies, their parent, their record. For
// `ppu profile` and for the report of a scene.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/solve/solver.hpp"

namespace ppu::sim {

/// For each row the row that writes one of its bodies last before it, in the order of slots, which
/// goes round from sweep to sweep; -1 for a row that is in no slot or has no body. `bodies` are
/// those of each row, -1 for the static world.
std::vector<std::int32_t> last_writers(const std::vector<std::array<std::int32_t, 2>>& bodies,
                                       const std::vector<std::uint32_t>& row_of_slot);

/// One reason for which one row waits.
struct RowHold {
  std::size_t row;
  std::optional<std::size_t> slot;          ///< None where several runs have their own orders.
  ppu_counter reason;                       ///< The class of the cycles.
  std::uint32_t cycles;                     ///< Summed over its visits.
  std::vector<std::int32_t> bodies;         ///< That it shares with `by`, of a wait for a body.
  std::optional<std::size_t> by;            ///< The row that it waits for, if it is one.
  std::optional<std::size_t> slots_before;  ///< From that row to this one.
};

/// The `count` of them that take the most cycles, most first.
std::vector<RowHold> top_holds(const model::RowProblem& problem, const Options& options,
                               const SolveResult& result, std::size_t count);

/// "body 5, last written by row 12, 3 slots before".
std::string in_words(const RowHold& hold);

}  // namespace ppu::sim
