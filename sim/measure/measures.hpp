// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the counters and the row profile of a timed solve say: stall classes, cycles per row.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/solve/solver.hpp"

namespace ppu::sim {

/// True if rows issue when the tokens of their bodies have come, in whatever order they come.
bool flows(const Options& options);

/// "1 engine x 2 pipes x 12 lanes, 16 velocity banks, body latency 32 cycles".
std::string device_in_words(const ppu_device_info& device);

/// One class of engine cycles.
struct Stall {
  ppu_counter counter;
  std::string_view label;
  std::uint64_t cycles;
  double share;  ///< Of the cycles of all runs, 0..1.
};
/// Every class in the order of the specification; their cycles sum to those of all runs together,
/// each on its engine.
std::vector<Stall> stalls_of(const SolveResult& result);
/// "body hazard 61.2 %, issue 36.0 %, ...": the largest first, those below 0.05 % left out.
std::string stall_line(const SolveResult& result);
/// True if the solve ended because the residual was at most the threshold; none without a
/// threshold.
std::optional<bool> converged(const SolveResult& result);
/// True if that test has passed although the true residual is above the threshold, by more than a
/// hundredth, which rounding may cost.
bool stops_above(const SolveResult& result);
/// What bounds the solve and which change would move it, in words.
std::string bound_in_words(const model::RowProblem& problem, const Options& options,
                           const SolveResult& result);

/// How often a row went through the pipe, averaged over all rows; 0 if none did.
double mean_visits(const SolveResult& result);
/// Cycles of a row / its visits; of a row that was never visited, its cycles: those in which it was
/// passed over.
double cycles_per_visit(const SolveResult& result, std::size_t row);

/// Rows whose cycles per visit lie in [low, high).
struct HistogramBin {
  double low, high;
  std::size_t rows;
};
std::vector<HistogramBin> cycle_histogram(const SolveResult& result);

/// The `count` rows with the most cycles, most first.
std::vector<std::size_t> slowest_rows(const SolveResult& result, std::size_t count);

/// A table of them for people: titles, and the cells of each row. All cycles are per visit.
std::vector<std::string> slowest_titles();
std::vector<std::vector<std::string>> slowest_cells(const model::RowProblem& problem,
                                                    const Options& options,
                                                    const SolveResult& result, std::size_t count);

/// The order that the driver gives the rows of one run: slot -> row. In several runs they have
/// other slots; rows that share a body keep their order.
std::vector<std::uint32_t> slot_order(const model::RowProblem& problem, const Options& options);
/// The same of a solve in so many runs, one or those that the problem is cut into, in the order in
/// which the device gets them.
std::vector<std::vector<std::uint32_t>> slot_orders(const model::RowProblem& problem,
                                                    const Options& options, std::size_t runs);
/// The slot of `row` in such an order.
std::size_t slot_of(const std::vector<std::uint32_t>& row_of_slot, std::size_t row);

/// Mean cycles per visit of consecutive slots, in at most `buckets` equal groups.
std::vector<double> cycles_over_slots(const model::RowProblem& problem, const Options& options,
                                      const SolveResult& result, std::size_t buckets);

}  // namespace ppu::sim
