// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A profile row by row: what every row is, where its cycles went, and for whom it waited. For
// `ppu profile --rows`.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/solve/solver.hpp"

namespace ppu::sim {

/// Cycles are summed over the visits of the row; all waits and the issue are its cycles.
struct RowRecord {
  std::size_t row;                  ///< In the problem, from 0.
  std::optional<std::size_t> slot;  ///< None where several runs have their own orders.
  std::int32_t island;              ///< -1: the row has to do with no body.
  std::uint32_t issue_cycles;       ///< In which it issues, and no row before it in slots does.
  ppu_row_profile cycles;
  /// The rows that have body a and body b before it, in the order of slots, which goes round from
  /// sweep to sweep: they send its tokens. None for the static world.
  std::optional<std::size_t> body_a_from, body_b_from;
  std::optional<std::size_t> parent_from;  ///< Whose impulse its bounds need.
};

/// Of a solve with a row profile, in the order of the problem.
std::vector<RowRecord> row_records(const model::RowProblem& problem, const Options& options,
                                   const SolveResult& result);

/// A line of titles and one for each row; cells without a value are empty.
std::string csv_of(const model::RowProblem& problem, const std::vector<RowRecord>& records);

/// Whose cycles per visit a profile gives.
inline constexpr std::array kPercents = {50, 95, 99};
/// Cycles per visit below which `percent` of the visited rows lie, or equal to it (nearest rank);
/// NaN if no row was visited.
double cycles_percentile(const SolveResult& result, double percent);

}  // namespace ppu::sim
