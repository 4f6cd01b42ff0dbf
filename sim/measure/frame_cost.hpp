// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a frame costs: the device cycles of a solve part by part, from the first command to the last
// answer, and how busy host link, DMA and device memory were meanwhile.
#pragma once

#include <string>
#include <vector>

#include "sim/solve/run.hpp"

namespace ppu::sim {

struct FramePart {
  std::string name;  ///< "read-back".
  std::string key;   ///< In JSON: "read_back_cycles".
  std::uint64_t cycles;
};

/// The parts of a timed solve in the order of time; they sum to its device cycles. Several runs
/// load and store beside each other and beside the sweeps of others: then what is not under the
/// sweeps is one part.
std::vector<FramePart> frame_parts(const Run& run);

/// The part with the most cycles; `parts` is not empty.
const FramePart& largest_part(const std::vector<FramePart>& parts);
/// That part, its share, and which change of `config` would move it: "upload (85.7 % of the
/// device's cycles): ..."; of the sweeps the share alone.
std::string frame_bound_in_words(const std::vector<FramePart>& parts, const std::string& config);

/// "upload 3,310 + load 5,012 + ... = 43,210", in cycles.
std::string frame_line(const Run& run);

/// The part of that key; 0 if there is none.
std::uint64_t frame_part(const Run& run, const std::string& key);

/// Cycles of the run's device in microseconds.
double microseconds(const Run& run, std::uint64_t cycles);

/// Beats over the host link: of its busier direction if both can move at once.
std::uint64_t link_beats(const Run& run, const Options& options);

struct UnitUse {
  std::string name;
  std::string key;  ///< In JSON.
  double share;     ///< Of the frame's device cycles, 0..1.
};

/// Share of the frame in which each unit moved something: the host link, the
/// DMA, the port of device memory, the engines.
std::vector<UnitUse> unit_uses(const Run& run, const Options& options);

}  // namespace ppu::sim
