// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a solve costs: its device cycles part by part, from the first command to the last answer,
// and how busy host link, DMA and device memory were meanwhile.
#pragma once

#include <string>
#include <vector>

#include "sim/solve/solver.hpp"

namespace ppu::sim {

struct CostPart {
  std::string name;  ///< "read-back".
  std::string key;   ///< In JSON: "read_back_cycles".
  std::uint64_t cycles;
};

/// The parts of a timed solve in the order of time; they sum to its device cycles. Several runs
/// load and store beside each other and beside the sweeps of others: then what is not under the
/// sweeps is one part.
std::vector<CostPart> cost_parts(const SolveResult& result);

/// The part with the most cycles; `parts` is not empty.
const CostPart& largest_part(const std::vector<CostPart>& parts);
/// That part, its share, and which change of `config` would move it: "upload (85.7 % of the
/// device's cycles): ..."; of the sweeps the share alone.
std::string cost_bound_in_words(const std::vector<CostPart>& parts, const std::string& config);

/// "upload 3,310 + load 5,012 + ... = 43,210", in cycles.
std::string cost_line(const SolveResult& result);

/// The part of that key; 0 if there is none.
std::uint64_t cost_part(const SolveResult& result, const std::string& key);

/// Cycles of the run's device in microseconds.
double microseconds(const SolveResult& result, std::uint64_t cycles);

/// Beats over the host link: of its busier direction if both can move at once.
std::uint64_t link_beats(const SolveResult& result, const Options& options);

struct UnitUse {
  std::string name;
  std::string key;  ///< In JSON.
  double share;     ///< Of the frame's device cycles, 0..1.
};

/// Share of the frame in which each unit moved something: the host link, the
/// DMA, the port of device memory, the engines.
std::vector<UnitUse> unit_uses(const SolveResult& result, const Options& options);

}  // namespace ppu::sim
