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

/// For each row the rows that have its body a and its body b before it, in the order of slots,
/// which goes round from sweep to sweep; -1 for a row that is in no slot, or without that body.
/// `bodies` are those of each row, -1 for the static world.
std::vector<std::array<std::int32_t, 2>> rows_before(
    const std::vector<std::array<std::int32_t, 2>>& bodies,
    const std::vector<std::uint32_t>& row_of_slot);
/// For each row the row before it on the body that it waits for longest, whose token it gets from
/// there; -1 for a row that waits for no body.
std::vector<std::int32_t> token_senders(const std::vector<std::array<std::int32_t, 2>>& bodies,
                                        const std::vector<std::uint32_t>& row_of_slot,
                                        const std::vector<ppu_row_profile>& profile);

/// A reason for which rows wait: the class of the cycles, and where the profile has them.
struct RowWait {
  ppu_counter reason;
  std::uint32_t ppu_row_profile::*cycles;
};
inline constexpr std::array kRowWaits = {
    RowWait{PPU_COUNTER_BODY_STALL_CYCLES, &ppu_row_profile::body_stall},
    RowWait{PPU_COUNTER_PARENT_STALL_CYCLES, &ppu_row_profile::parent_stall},
    RowWait{PPU_COUNTER_FETCH_STALL_CYCLES, &ppu_row_profile::fetch_stall},
    RowWait{PPU_COUNTER_LANE_CYCLES, &ppu_row_profile::lane_stall},
    RowWait{PPU_COUNTER_BANK_STALL_CYCLES, &ppu_row_profile::bank_stall},
    RowWait{PPU_COUNTER_FILTER_CYCLES, &ppu_row_profile::filter_stall}};

/// One reason for which one row waits.
struct RowHold {
  std::size_t row;
  std::optional<std::size_t> slot;          ///< None where several runs have their own orders.
  ppu_counter reason;                       ///< The class of the cycles.
  std::uint32_t cycles;                     ///< Summed over its visits.
  std::vector<std::int32_t> bodies;         ///< That it shares with `by`, of a wait for a body.
  std::optional<std::size_t> by;            ///< The row that it waits for, if it is one.
  std::optional<std::size_t> slots_before;  ///< From that row to this one.
  bool tokens = true;  ///< Rows issue when the tokens of their bodies have come.
};

/// What of it a visit of the row has.
double wait_per_visit(const SolveResult& result, const RowHold& hold);
/// The `count` of them that take the most cycles, most first.
std::vector<RowHold> top_holds(const model::RowProblem& problem, const Options& options,
                               const SolveResult& result, std::size_t count);

/// "body 5, last written by row 12, 3 slots before".
std::string in_words(const RowHold& hold);

}  // namespace ppu::sim
